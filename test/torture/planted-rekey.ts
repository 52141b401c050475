// Bugs in what a rekey and the forgetting of a player promise; part of planted-list.ts.
import type { PlantedBug } from './planted-bug.ts';

const REKEY = 'src/store/backup/rekey.test.ts';
const FORGET = 'src/cli/forget.test.ts';

export const REKEYS: PlantedBug[] = [
  {
    name: 'a code of before is added a second time',
    file: 'src/store/backup/rekey.ts',
    edits: [['update codes set code_hash = @hash, code_secret', 'update codes set code_secret']],
    tests: [REKEY],
  },
  {
    name: 'a live redemption is left behind by its code',
    file: 'src/store/backup/rekey.ts',
    edits: [['    update.run({ at, hash: anew.hash,', '    if (secret) update.run({ at, hash: anew.hash,']],
    tests: [REKEY],
  },
  {
    name: 'what was given away has another name after a rekey',
    file: 'src/store/engine/keys.ts',
    edits: [['  const secrets = createSecrets(next, names);', '  const secrets = createSecrets(next);']],
    tests: [REKEY],
  },
  {
    name: 'the older key is not kept',
    file: 'src/store/backup/rekey.ts',
    edits: [['for (const key of [ring.current, own, next]) keepKey(path, key);', 'keepKey(path, next);']],
    tests: [REKEY],
  },
  {
    name: 'a player is forgotten while a redemption is in doubt',
    file: 'src/store/tables/forgetting.ts',
    edits: [['[open.pending, open.inDoubt, open.duplicate]', '[open.pending, open.duplicate]']],
    tests: [FORGET],
  },
];

// Bugs in what a rekey and the forgetting of a player promise; part of planted-list.ts.
import type { PlantedBug } from './planted-bug.ts';

const TWO_KEYS = 'src/store/tables/two-keys.test.ts';
const REKEY = 'src/store/backup/rekey.test.ts';
const RING = 'src/store/engine/key-ring.ts';
const FORGET = 'src/cli/forget.test.ts';

export const REKEYS: PlantedBug[] = [
  {
    name: 'a look-up asks under the new key alone',
    file: 'src/store/engine/secrets.ts',
    edits: [['find(hash) ?? (hash.older && find(hash.older));', 'find(hash);']],
    tests: [TWO_KEYS],
  },
  {
    name: 'a code of before is added a second time',
    file: 'src/store/tables/batches.ts',
    edits: [['!(sealed.hash.older && isKnown({ ...code, hash: sealed.hash.older })) &&', '']],
    tests: [TWO_KEYS],
  },
  {
    name: 'a code that is taken keeps the seal of before',
    file: 'src/store/tables/redemptions.ts',
    edits: [['rest.codeId !== null && seals.hasOlder())', "rest.codeId !== null && code.text === '')"]],
    tests: [TWO_KEYS],
  },
  {
    name: 'a live redemption is left behind by its code',
    file: 'src/store/backup/rekey.ts',
    edits: [['if (live) moveRedemption(live, code);', 'if (live && at < 0) moveRedemption(live, code);']],
    tests: [REKEY],
  },
  {
    name: 'the older key is not kept',
    file: RING,
    edits: [['    saveOldKey(databasePath, ring.current);\n', '']],
    tests: [REKEY],
  },
  {
    name: 'a player is forgotten while a redemption is in doubt',
    file: 'src/store/tables/forgetting.ts',
    edits: [['[open.pending, open.inDoubt, open.duplicate]', '[open.pending, open.duplicate]']],
    tests: [FORGET],
  },
];

// Bugs in how a backup is put in place; part of planted-list.ts.
import type { PlantedBug } from './planted-bug.ts';

const EPOCHS = 'src/store/backup/epochs.test.ts';
const RESTORE = 'src/store/backup/restore.test.ts';

export const RESTORES: PlantedBug[] = [
  {
    name: 'a backup does not know when it was made',
    file: 'src/store/backup/backup.ts',
    edits: [['markBackup(connection, now);', 'void [markBackup, now];']],
    tests: ['src/store/engine/identity.test.ts'],
  },
  {
    name: 'a restore gives up a sound database unasked',
    file: 'src/store/backup/restore.ts',
    edits: [['if (ahead !== undefined) throw', 'if (ahead === -1) throw']],
    tests: [EPOCHS, RESTORE],
  },
  {
    name: 'a past that went on from an older backup is taken for one that holds nothing',
    file: 'src/store/backup/epochs.ts',
    edits: [['commits > 0 || id === FIRST.id', 'commits >= 0 && id === FIRST.id']],
    tests: [EPOCHS],
  },
  {
    name: 'commits that gave no number do not count',
    file: 'src/store/backup/epochs.ts',
    edits: [['epoch.commits < other.commits', 'epoch.commits + Infinity < other.commits']],
    tests: [EPOCHS],
  },
  {
    name: 'a restore goes on with what the backup was in the middle of',
    file: 'src/store/backup/restore.ts',
    edits: [['        closeUnfinished(connection, secrets, now);\n', '        void closeUnfinished;\n']],
    tests: [EPOCHS],
  },
  {
    name: 'numbers that may have been given are given again',
    file: 'src/store/backup/epochs.ts',
    edits: [
      ['const GAP = 1_000_000;', 'const GAP = 0;'],
      ['const GAP_PER_SECOND = 100;', 'const GAP_PER_SECOND = 0;'],
    ],
    tests: [EPOCHS],
  },
  {
    name: 'a restored code is not in question',
    file: 'src/store/backup/unfinished-work.ts',
    edits: [
      [
        "set state = 'unverified' where state = 'available'",
        "set state = 'available' where state = 'available'",
      ],
    ],
    tests: [EPOCHS, RESTORE],
  },
];

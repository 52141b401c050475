// Bugs in how a backup is put in place; part of planted-list.ts.
import type { PlantedBug } from './planted-bug.ts';

const EPOCHS = 'src/store/backup/epochs.test.ts';
const RESTORE = 'src/store/backup/restore.test.ts';
const HOME = 'src/store/engine/home.test.ts';
const IDENTITY = 'src/store/engine/identity.test.ts';

export const RESTORES: PlantedBug[] = [
  {
    name: 'a backup does not know when it was made',
    file: 'src/store/backup/backup.ts',
    edits: [['markBackup(connection, now);', 'void [markBackup, now];']],
    tests: [IDENTITY],
  },
  {
    name: 'a restore gives up a sound database unasked',
    file: 'src/store/backup/restore.ts',
    edits: [['if (because === undefined) throw', "if (because === '') throw"]],
    tests: [RESTORE],
  },
  {
    name: 'a restore goes on with what the backup was in the middle of',
    file: 'src/store/backup/restore.ts',
    edits: [['      closeUnfinished(connection, secrets, now);\n', '      void closeUnfinished;\n']],
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
  {
    name: 'a copy is served like the file itself',
    file: 'src/store/engine/home.ts',
    edits: [['return inode !== found.inode ||', 'return found.inode === birth &&']],
    tests: [HOME],
  },
  {
    name: 'a file that is served says that it is stopped',
    file: 'src/store/index.ts',
    edits: [['unmarkStopped(connection);', 'connection.readonly;']],
    tests: [HOME],
  },
  {
    name: 'that it is served stands in the log alone',
    file: 'src/store/index.ts',
    edits: [["connection.pragma('wal_checkpoint(PASSIVE)')", 'void connection']],
    tests: [HOME],
  },
  {
    name: 'a move forgets what a restore has lost',
    file: 'src/store/backup/epochs.ts',
    edits: [['lost: readLostTime(connection) });', 'lost: undefined });']],
    tests: [HOME],
  },
  {
    name: 'a copy is restored without its log',
    file: 'src/store/backup/snapshot-file.ts',
    edits: [
      [
        "for (const suffix of ['', '-wal']) {\n      if (!existsSync(file",
        "for (const suffix of ['']) {\n      if (!existsSync(file",
      ],
    ],
    tests: [HOME],
  },
  {
    name: 'a commit is counted beside the file at the end alone',
    file: 'src/store/index.ts',
    edits: [['      commits.write();\n      checkpoints', '      checkpoints']],
    tests: [IDENTITY],
  },
  {
    name: 'the command line hides that a file is older than it was',
    file: 'src/store/engine/commit-count.ts',
    edits: [
      [
        'isBehind(connection, path) ? undefined : openCountFile',
        'Number.isNaN(path) ? undefined : openCountFile',
      ],
    ],
    tests: [IDENTITY],
  },
];

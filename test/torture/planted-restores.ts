// Bugs in how a restore joins what two files know; part of planted-list.ts.
import type { PlantedBug } from './planted-bug.ts';

const MEMBERS = 'src/store/safekeeping/carry-members.test.ts';
const MONEY = 'src/store/safekeeping/carry-money.test.ts';
const EPOCHS = 'src/store/safekeeping/epochs.test.ts';
const RESTORE = 'src/store/safekeeping/restore.test.ts';

export const RESTORES: PlantedBug[] = [
  {
    name: 'a restore brings back whom the other past removed',
    file: 'src/store/safekeeping/carry-members.ts',
    edits: [["not ${isIn('o.joined_at', knownToReplaced)} or", 'true or']],
    tests: [MEMBERS],
  },
  {
    name: 'of two roles that two pasts gave the earlier holds',
    file: 'src/store/safekeeping/carry-members.ts',
    edits: [['joined_at desc, role_at desc', 'joined_at desc, role_at asc']],
    tests: [MEMBERS],
  },
  {
    name: 'a restore leaves an account two owners, or none',
    file: 'src/store/safekeeping/carry-members.ts',
    edits: [['  settleOwners(carrying);', '  void settleOwners;']],
    tests: [MEMBERS],
  },
  {
    name: 'a backup does not know when it was made',
    file: 'src/store/safekeeping/backup.ts',
    edits: [['markBackup(connection, now);', 'void [markBackup, now];']],
    tests: [MEMBERS],
  },
  {
    name: 'a link that was used in another past can be used again',
    file: 'src/store/safekeeping/carry-accounts.ts',
    edits: [['select o.used_by from', 'select null from']],
    tests: [MEMBERS],
  },
  {
    name: 'days that were paid in another past are lost',
    file: 'src/store/safekeeping/subscription-ends.ts',
    edits: [['ofReplaced.get(accountId)', 'ofReplaced.get(-accountId)']],
    tests: [MONEY],
  },
  {
    name: 'look-ups of two pasts are charged once',
    file: 'src/store/safekeeping/carry-money.ts',
    edits: [["(n.kind = 'redeem' or n.at = o.at)", 'true']],
    tests: [MONEY],
  },
  {
    name: 'a restore goes on with what the backup was in the middle of',
    file: 'src/store/safekeeping/restore.ts',
    edits: [['        closeUnfinished(connection, secrets, now);\n', '        void closeUnfinished;\n']],
    tests: [EPOCHS],
  },
  {
    name: 'numbers that may have been given are given again',
    file: 'src/store/safekeeping/epochs.ts',
    edits: [
      ['const GAP = 1_000_000;', 'const GAP = 0;'],
      ['const GAP_PER_SECOND = 100;', 'const GAP_PER_SECOND = 0;'],
    ],
    tests: [EPOCHS],
  },
  {
    name: 'a restored code is not in question',
    file: 'src/store/safekeeping/closing.ts',
    edits: [
      [
        "set state = 'unverified' where state = 'available'",
        "set state = 'available' where state = 'available'",
      ],
    ],
    tests: [EPOCHS, RESTORE],
  },
  {
    name: 'codes that left after the backup come back',
    file: 'src/store/safekeeping/carry-codes.ts',
    edits: [['  moveKnownCodes(carrying);', '  void moveKnownCodes;']],
    tests: [EPOCHS, RESTORE],
  },
  {
    name: 'a key that was revoked after the backup opens again',
    file: 'src/store/safekeeping/carry-accounts.ts',
    edits: [['revoked_at = coalesce(n.revoked_at, o.revoked_at)', 'revoked_at = o.revoked_at']],
    tests: [RESTORE],
  },
];

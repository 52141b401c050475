// Planted bugs of the console: what leaves is not what is shown, who was let in stays in, and looking does what
// pressing does.
import type { PlantedBug } from './planted-bug.ts';

const SCREENS = 'src/console/screens.test.ts';

export const CONSOLE: PlantedBug[] = [
  {
    name: 'a CSV of receipts leaves without its filter',
    file: 'src/console/screens/receipts.ts',
    edits: [
      [
        'context.core.receiptList.walk(memberOf(context), toReceiptFilter(query), query)',
        'context.core.receiptList.walk(memberOf(context), {}, query)',
      ],
    ],
    tests: ['src/console/lists/receipts-list.test.ts'],
  },
  {
    name: 'a role is looked up once for each person',
    file: 'src/console/entering/session.ts',
    edits: [
      [
        'const actor = core.members.findActor(telegramId);',
        'const actor = known.get(telegramId) ?? core.members.findActor(telegramId);\n  known.set(telegramId, actor);',
      ],
      [
        '/** Somebody of this number',
        'const known = new Map<number, MemberActor | undefined>();\n\n/** Somebody of this number',
      ],
    ],
    tests: [SCREENS],
  },
  {
    name: 'a session outlives the role that it was opened with',
    file: 'drizzle/0000_baseline.sql',
    edits: [['WHEN new.`role` <> old.`role` OR new.`account_id` <> old.`account_id`', 'WHEN false']],
    tests: ['src/core/accounts/console.test.ts'],
  },
  {
    name: 'a look at a link of the console uses it up',
    file: 'src/console/entering/enter.ts',
    edits: [
      [
        "return showLink(deps, c, c.req.param('token'));\n  });",
        "void deps.core.consoleAccess.enter({ token: c.req.param('token'), once: '', browser: '' });\n    return showLink(deps, c, c.req.param('token'));\n  });",
      ],
    ],
    tests: [SCREENS],
  },
];

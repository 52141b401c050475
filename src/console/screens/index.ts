// The screens, in the order of the menu. A screen is a file here (see its type in ../context.ts) and a line below; its
// words are a section of its name in both locales, `menu-<name>` among them. The matrix of the tests
// (../routes.test.ts) has a row for each of its routes.
import type { Screen } from '../context.ts';
import { addCodesScreen } from './add-codes.ts';
import { batchesScreen } from './batches.ts';
import { claimsScreen } from './claims.ts';
import { hostScreen } from './host.ts';
import { keyLimitsScreen } from './key-limits.ts';
import { keysScreen } from './keys.ts';
import { logScreen } from './log.ts';
import { meScreen } from './me.ts';
import { ordersScreen } from './orders.ts';
import { peopleScreen } from './people.ts';
import { putBackScreen } from './put-back.ts';
import { receiptsScreen } from './receipts.ts';
import { statisticsScreen } from './statistics.ts';
import { stockScreen } from './stock.ts';
import { todayScreen } from './today.ts';
import { webhooksScreen } from './webhooks.ts';

export const SCREENS: readonly Screen[] = [
  todayScreen,
  receiptsScreen,
  ordersScreen,
  claimsScreen,
  stockScreen,
  addCodesScreen,
  putBackScreen,
  batchesScreen,
  statisticsScreen,
  peopleScreen,
  keysScreen,
  keyLimitsScreen,
  webhooksScreen,
  logScreen,
  hostScreen,
  meScreen,
];

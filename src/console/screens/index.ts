// The screens, in the order of the menu. A screen is a file here (see its type in ../context.ts) and a line below; its
// words are a section of its name in both locales, `menu-<name>` among them. The matrix of the tests
// (../routes.test.ts) has a row for each of its routes.
import type { Screen } from '../context.ts';
import { meScreen } from './me.ts';
import { receiptsScreen } from './receipt.ts';
import { todayScreen } from './today.ts';

export const SCREENS: readonly Screen[] = [todayScreen, receiptsScreen, meScreen];

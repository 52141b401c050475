// What every measurement redeems, and for whom.
import type { PlatformReceipt } from '../../src/platform/port.ts';

export const GAME_ID = 'game_id_1';
export const DENOMINATION = 60;
export const ACCOUNTS = 64;
/** Redemptions under way at the same moment. */
export const AT_ONCE = 64;

export const RECEIPT: PlatformReceipt = {
  openid: '29083411',
  name: 'Player',
  region: 'DE',
  productName: '60 UC',
  amount: 60,
  uid: '771',
  email: 'account@mail.example',
  password: 'a password',
};

// A platform in this very process that redeems everything at once: what is left to measure is ours alone.
import type { Platform, PlatformReceipt } from '../../src/platform/port.ts';

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

const NOT_REDEEMED = Promise.resolve({ status: 'notRedeemed' } as const);

export function createInstantPlatform(): Platform {
  return {
    name: 'sandbox',
    settlingMs: 2_000,
    lookPauseMs: 1_000,
    redeem: () => Promise.resolve({ status: 'redeemed', receipt: RECEIPT }),
    findOrder: () => Promise.resolve({ status: 'found' }),
    findCharacter: () => Promise.resolve({ status: 'found', openid: RECEIPT.openid, name: RECEIPT.name }),
    findCode: () => NOT_REDEEMED,
    isReachable: () => Promise.resolve(true),
    close: () => undefined,
  };
}

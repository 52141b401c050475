// A redemption as the core tells it, for whoever words one: redeemed of the database, a minute long, of a known player.
import type { Redemption } from '../../src/core/index.ts';

export const receiptOf = (changes: Partial<Redemption> = {}): Redemption => ({
  ...{
    id: 7,
    accountId: 1,
    actor: 'member:5',
    gameId: 'game_id_1',
    playerId: '5170925570',
    playerName: 'Player',
  },
  ...{ mode: 'database', denomination: 60, amount: 60, code: '60SAAAAAAAAAAAAAA', state: 'redeemed' },
  ...{ createdAt: Date.UTC(2026, 10, 21, 7, 36), tookMs: 6_000, doubtedAt: null },
  settledAt: Date.UTC(2026, 10, 21, 7, 36, 6),
  ...{ errorCode: null, errorMessage: null, codeReset: false, warning: false },
  ...{ openid: null, region: null, productName: null },
  credentials: { email: 'login@example.test', password: 'secret-password' },
  ...changes,
});

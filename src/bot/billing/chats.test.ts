// Buying in the chat, word for word.
import { SHOP_DOINGS, writeFreely } from '../../../test/world/play/chat-doings.ts';
import { testChats } from '../../../test/world/play/chat-file.ts';
import { MONEY_DOINGS } from '../../../test/world/play/money-doings.ts';
import type { Stage } from '../../../test/world/play/stage.ts';

/** `* neighbour host`: they have an account of their own. */
const neighbour = (t: Stage) =>
  t.app().core.accounts.openOwn({ telegramId: t.host.id, name: 'Another shop' });

/** `* lost`: the account of the orders is none that is known; `* found`. `* never`: there never was a subscription. */
const lost = (t: Stage) => writeFreely(t, 'update purchase_orders set account_id = 999');
const found = (t: Stage) => writeFreely(t, 'update purchase_orders set account_id = 1');
const never = (t: Stage) => writeFreely(t, 'update accounts set subscription_expires_at = null');

/** `* looks 5170925570`: the owner looks this player up. */
const looks = (t: Stage, playerId: string) =>
  t.app().core.findCharacter(t.actors.owner, { gameId: 'game_id_1', playerId });

testChats(
  import.meta.dirname,
  [
    ['buying', { bot: { subscriptionPriceCents: 1_000 } }],
    [
      'provider',
      { bot: { subscriptionPriceCents: 1_000, paymentProviderToken: 'test-provider', starsPerUsd: 0 } },
    ],
    ['unsold', { bot: { starsPerUsd: 9_000 } }],
    ['told', { bot: { subscriptionPriceCents: 1_000 } }],
    ['unmatched'],
    ['outages'],
    ['quota'],
    [
      'first-steps',
      { bot: { openSignup: true, subscriptionPriceCents: 2_500, supportContact: '@shop_support' } },
    ],
  ],
  { ...SHOP_DOINGS, ...MONEY_DOINGS, neighbour, lost, found, never, looks },
);

// Buying in the chat, word for word.
import { testChats } from '../../../test/world/play/chat-file.ts';

testChats(import.meta.dirname, [
  ['buying', { bot: { subscriptionPriceCents: 1_000 } }],
  [
    'provider',
    { bot: { subscriptionPriceCents: 1_000, paymentProviderToken: 'test-provider', starsPerUsd: 0 } },
  ],
  ['unsold', { bot: { starsPerUsd: 9_000 } }],
]);

// Settings, help and the first words of everybody, word for word.
import { testChats } from '../../../test/world/play/chat-file.ts';

testChats(import.meta.dirname, [
  ['settings'],
  ['home'],
  ['words'],
  ['confirmations'],
  ['groups'],
  ['pictures'],
  ['first-days', { days: 0 }],
  ['links'],
  ['zones'],
  ['unsubscribed', { days: 0, bot: { subscriptionPriceCents: 2_500 } }],
  ['signup', { bot: { openSignup: true } }],
]);

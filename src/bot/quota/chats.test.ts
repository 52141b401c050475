// Buying in the chat, word for word.
import { join } from 'node:path';
import { test } from 'vitest';

import type { TestBotOptions } from '../../../test/harness/bot-app.ts';
import { SHOP_DOINGS } from '../../../test/harness/chat-doings.ts';
import { holdChat } from '../../../test/harness/chat-file.ts';

const CHATS: [name: string, options?: TestBotOptions][] = [
  ['buying', { bot: { subscriptionPriceCents: 1_000 } }],
  [
    'provider',
    { bot: { subscriptionPriceCents: 1_000, paymentProviderToken: 'test-provider', starsPerUsd: 2_000 } },
  ],
  ['unsold', { bot: { starsPerUsd: 9_000 } }],
];

test.each(CHATS)('%s', (name, options) =>
  holdChat(join(import.meta.dirname, 'chats', `${name}.txt`), SHOP_DOINGS, options),
);

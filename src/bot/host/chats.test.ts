// What the host sees and does, word for word.
import { join } from 'node:path';
import { test } from 'vitest';

import type { TestBotOptions } from '../../../test/harness/bot-app.ts';
import { SHOP_DOINGS } from '../../../test/harness/chat-doings.ts';
import { holdChat } from '../../../test/harness/chat-file.ts';

const CHATS: [name: string, options?: TestBotOptions][] = [['desk']];

test.each(CHATS)('%s', (name, options) =>
  holdChat(join(import.meta.dirname, 'chats', `${name}.txt`), SHOP_DOINGS, options),
);

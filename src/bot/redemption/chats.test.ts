// Redeeming in the chat, word for word: every card and question on the way, its buttons, and what is said where it ends.
import { join } from 'node:path';
import { test } from 'vitest';

import { SHOP_DOINGS } from '../../../test/harness/chat-doings.ts';
import { holdChat } from '../../../test/harness/chat-file.ts';

test.each(['step-by-step', 'refused', 'plain', 'several'])('%s', (name) =>
  holdChat(join(import.meta.dirname, 'chats', `${name}.txt`), SHOP_DOINGS),
);

// Redeeming in the chat, word for word: every card and question on the way, its buttons, and what is said where it ends.
import { join } from 'node:path';
import { test } from 'vitest';

import type { TestBotOptions } from '../../../test/harness/bot-app.ts';
import { SHOP_DOINGS } from '../../../test/harness/chat-doings.ts';
import { holdChat } from '../../../test/harness/chat-file.ts';

const CATALOGUES = join(import.meta.dirname, '../../../test/harness/catalogues');
const withGames = (name: string): TestBotOptions => ({ gamesFile: join(CATALOGUES, `${name}.json`) });

const CHATS: [name: string, options?: TestBotOptions][] = [
  ['step-by-step'],
  ['refused'],
  ['plain'],
  ['several'],
  ['one-game', withGames('no-database')],
  ['two-games', withGames('two-games')],
];

test.each(CHATS)('%s', (name, options) =>
  holdChat(join(import.meta.dirname, 'chats', `${name}.txt`), SHOP_DOINGS, options),
);

// The stock in the chat, word for word: what stands on every card, its buttons, and what becomes of them.
import { join } from 'node:path';
import { test } from 'vitest';

import type { TestBotOptions } from '../../../test/harness/bot-app.ts';
import { SHOP_DOINGS } from '../../../test/harness/chat-doings.ts';
import { holdChat } from '../../../test/harness/chat-file.ts';

const CATALOGUES = join(import.meta.dirname, '../../../test/harness/catalogues');
const withGames = (name: string): TestBotOptions => ({ gamesFile: join(CATALOGUES, `${name}.json`) });

const CHATS: [name: string, options?: TestBotOptions][] = [
  ['one-game'],
  ['files'],
  ['extracting'],
  ['low-stock'],
  ['many-lots', withGames('many-lots')],
  ['two-games', withGames('two-games')],
  ['no-database', withGames('no-database')],
];

test.each(CHATS)('%s', (name, options) =>
  holdChat(join(import.meta.dirname, 'chats', `${name}.txt`), SHOP_DOINGS, options),
);

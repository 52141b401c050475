// The stock in the chat, word for word: what stands on every card, its buttons, and what becomes of them.
import { testChats, withGames } from '../../../test/world/play/chat-file.ts';

testChats(import.meta.dirname, [
  ['one-game'],
  ['files'],
  ['one-import'],
  ['extracting'],
  ['taking-out'],
  ['stock'],
  ['batches'],
  ['cancelling'],
  ['bad-codes'],
  ['low-stock'],
  ['suppliers'],
  ['taken-back'],
  ['adding'],
  ['open-import'],
  ['pieces'],
  ['left'],
  ['losing-rights'],
  ['previews'],
  ['deleting'],
  ['two-games-adding', withGames('two-games')],
  ['many-denominations', withGames('many-denominations')],
  ['two-games', withGames('two-games')],
  ['which-game', withGames('two-games')],
  ['no-database', withGames('no-database')],
]);

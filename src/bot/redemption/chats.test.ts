// Redeeming in the chat, word for word: every card and question on the way, its buttons, and what is said where it
// ends.
import { testChats, withGames } from '../../../test/world/play/chat-file.ts';

testChats(import.meta.dirname, [
  ['step-by-step'],
  ['refused'],
  ['plain'],
  ['amounts'],
  ['several'],
  ['orders'],
  ['rest-once'],
  ['players'],
  ['taps'],
  ['taken-back'],
  ['one-game', withGames('no-database')],
  ['two-games', withGames('two-games')],
]);

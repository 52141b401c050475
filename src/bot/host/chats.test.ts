// What the host sees and does, word for word.
import { testChats } from '../../../test/world/play/chat-file.ts';

testChats(import.meta.dirname, [
  ['doubts', { sandboxes: 2, platformTimeoutMs: 300 }],
  ['menus'],
  ['suspensions'],
  ['upstreams', { sandboxes: 3, platformTimeoutMs: 300 }],
]);

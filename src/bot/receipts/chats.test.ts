// Receipts and the search for them in the chat, word for word.
import { testChats } from '../../../test/world/play/chat-file.ts';

testChats(import.meta.dirname, [['receipts'], ['reading'], ['pages']]);

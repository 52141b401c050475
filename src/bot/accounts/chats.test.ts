// Members and keys in the chat, word for word.
import { testChats } from '../../../test/world/play/chat-file.ts';

testChats(import.meta.dirname, [['members'], ['keys'], ['key-addresses'], ['log']]);

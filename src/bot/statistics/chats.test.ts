// Statistics in the chat, word for word: what stands under the picture, its figures, and who gets them.
import { testChats } from '../../../test/world/play/chat-file.ts';

testChats(import.meta.dirname, [['stats']]);

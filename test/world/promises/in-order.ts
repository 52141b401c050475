// What is said in one chat is said in its order, however late Telegram takes it.
import type { World } from '../run/world.ts';

export function oneChatIsAnsweredInOrder({ diary, said }: World): string[] {
  return diary.inOrder.flatMap(({ chatId, first, second }) => {
    const words = said.today.filter((each) => each.chatId === chatId);
    const [one, other] = [first, second].map((pattern) => words.findIndex(({ text }) => pattern.test(text)));
    if (one === undefined || other === undefined || one < 0 || other < 0 || one < other) return [];
    return [`${chatId} was told "${words[other]?.text.slice(0, 40)}" first, and asked for it last`];
  });
}

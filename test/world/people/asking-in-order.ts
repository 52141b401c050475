// Somebody asks two things, one right after the other, while Telegram fails: whatever is said late, it is said in their
// order.
import type { Diary } from '../run/diary.ts';
import type { World } from '../run/world.ts';
import type { Self } from './index.ts';

/** Nobody else asks for these, and neither is ever said unasked. */
const FIRST = /^<b>(?:Terms|Условия)<\/b>/;
const SECOND = /^<b>(?:Questions about a payment|Вопросы об оплате)<\/b>/;
const BETWEEN_MS = 3_000;

export async function askInOrder(
  { time, diary }: World,
  { phone, random }: Pick<Self, 'phone' | 'random'>,
): Promise<void> {
  // Who has asked today may hear of it late.
  if (diary.inOrder.some(({ chatId }) => chatId === phone.user.id)) return;
  const pair: Diary['inOrder'][number] = { chatId: phone.user.id, first: FIRST, second: SECOND };
  diary.inOrder.push(pair);
  phone.say('/terms');
  await time.sleep(100 + random.below(BETWEEN_MS));
  phone.say('/paysupport');
}

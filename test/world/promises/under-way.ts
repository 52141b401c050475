// What a message shows as under way has ended by the evening, and is shown so in its place or below it: nothing is said
// to go on for ever.
import type { World } from '../run/world.ts';

const UNDER_WAY =
  /^(?:⏳ (?:Redeeming|Активирую) |Adding… |Добавляю… |Taking the batch back…|Забираю партию обратно…|Taking them out…|Забираю…|Reading what you sent…|Читаю присланное…)/u;

export function nothingIsShownAsUnderWayThatHasEnded({ said, telegram, diary }: World): string[] {
  const shown = new Map<string, { chatId: number; messageId: number }>();
  for (const { chatId, messageId, text } of said.today)
    if (messageId !== undefined && UNDER_WAY.test(text))
      shown.set(`${chatId}:${messageId}`, { chatId, messageId });
  return [...shown.values()].flatMap(({ chatId, messageId }) => {
    // Where a message is gone the end is posted below it.
    if (diary.isAway({ id: chatId }) || diary.gone.has(`${chatId}:${messageId}`)) return [];
    const now = telegram.api.messages({ id: chatId }).find(({ id }) => id === messageId);
    return now && !now.deleted && UNDER_WAY.test(now.text) ? [`${chatId} is still shown: ${now.text}`] : [];
  });
}

// Nobody is sent a notice of a kind that they have chosen not to get.
import { BEGINNINGS } from '../audit/notice-words.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const CHOSEN = "select telegram_id as id, muted_notices as muted from preferences where muted_notices <> ''";

const before = new WeakMap<World['diary'], Map<number, string>>();

export function nobodyGetsNoticesTheyDoNotWant({ disk, diary, said }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(CHOSEN).all()) as {
    id: number;
    muted: string;
  }[];
  const [yesterday, chosen] = [before.get(diary), new Map(rows.map(({ id, muted }) => [id, muted]))];
  before.set(diary, chosen);
  return said.today.flatMap(({ chatId, text }) => {
    const muted = chosen.get(chatId);
    const hasChanged = diary.taps.some(
      ({ user, data }) => user.id === chatId && data.startsWith('settings:notice'),
    );
    if (muted === undefined || muted !== yesterday?.get(chatId) || hasChanged) return [];
    const unwanted = muted.split(',').find((kind) => BEGINNINGS[kind]?.test(text));
    return unwanted === undefined ? [] : [`${chatId} wants no ${unwanted}, and read: ${text}`];
  });
}

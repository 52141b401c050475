// Everybody is spoken to in their own language: Russian where Russian was chosen, or where Telegram says so and nothing
// was chosen.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const CYRILLIC = /\p{Script=Cyrillic}/u;
/** Words of a sentence, not of names, codes and commands. */
const ENGLISH = /\b(?:the|is|are|of|you|your|what|send|press|there|nothing|which)\b/i;
const CHOSEN = 'select telegram_id as id, language from preferences';

const before = new WeakMap<World['diary'], Map<number, string | null>>();

export function everybodyIsSpokenToInTheirLanguage(world: World): string[] {
  const { disk, diary, people, shops, said } = world;
  const rows = look(disk.databasePath(), (file) => file.prepare(CHOSEN).all()) as {
    id: number;
    language: string | null;
  }[];
  const [yesterday, chosen] = [before.get(diary), new Map(rows.map(({ id, language }) => [id, language]))];
  before.set(diary, chosen);
  const names = [...shops.map(({ number }) => `Shop ${number}`), ...people.map(({ name }) => name)];
  return said.today.flatMap(({ chatId, text }) => {
    const language = chosen.get(chatId) ?? undefined;
    // Whoever tries the settings has changed it, perhaps twice; a customer's receipt is had in the customer's.
    if ((yesterday?.get(chatId) ?? undefined) !== language || hasTriedAnother(world, chatId)) return [];
    const speaks = language ?? people.find(({ userId }) => userId === chatId)?.language ?? 'en';
    if (speaks !== 'ru') return [];
    const words = names.reduce((left, name) => left.replaceAll(name, ''), text);
    return ENGLISH.test(words) && !CYRILLIC.test(words)
      ? [`${chatId} speaks Russian, and read: ${text}`]
      : [];
  });
}

const OTHER = /^settings:language|customer:.*:(?:en|ru)$/;

const hasTriedAnother = ({ diary }: World, id: number): boolean =>
  diary.taps.some(({ user, data }) => user.id === id && OTHER.test(data));

// Of what people talk about in groups nothing is kept: only commands there are for the bot.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const NEWEST = 5_000;

export function nothingOfWhatAGroupTalksAboutIsKept({ disk, telegram }: World): string[] {
  const talk = telegram.api
    .updates()
    .slice(-NEWEST)
    .filter(({ message }) => {
      const { chat, entities } = (message ?? {}) as {
        chat?: { type: string };
        entities?: { type: string }[];
      };
      return chat?.type.endsWith('group') && entities?.[0]?.type !== 'bot_command';
    });
  if (talk.length === 0) return [];
  const kept = look(
    disk.databasePath(),
    (file) => new Set(file.prepare('select update_id from inbox').pluck().all() as number[]),
  );
  return talk
    .filter(({ update_id: id }) => kept.has(id))
    .map(({ update_id: id }) => `update ${id} is talk of a group, and kept`);
}

// Nobody is told that something went wrong on our side: an error of ours is not an answer.
import type { World } from '../run/world.ts';

const SORRY = /Something went wrong on my side|У меня ошибка/;

export function nobodyIsToldOfAFaultOfOurs({ said }: World): string[] {
  return said.today.flatMap(({ chatId, text }) => (SORRY.test(text) ? [`${chatId} read: ${text}`] : []));
}

const RESTARTED = /I am being restarted|Меня перезапускают/;

/** What a stop cuts off goes on after it: whoever is told to do it again does it twice. */
export function nobodyIsToldToTryAgainForAStop({ said }: World): string[] {
  return said.today.flatMap(({ chatId, text }) => (RESTARTED.test(text) ? [`${chatId} read: ${text}`] : []));
}

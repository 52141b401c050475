// Whoever is given another role, or is removed, is told so: as soon as whoever ordered it has read that it is done.
import type { World } from '../run/world.ts';

const ROLE = /changed your role|over to you: you are its owner|is the owner now|теперь|роль/i;
const REMOVED = /removed you from|удал/i;

export function whoeverIsGivenARoleIsTold({ diary, said, people }: World): string[] {
  return diary.staffing.flatMap(({ id, role, isDone, at }) => {
    if (isDone !== true || at === undefined || diary.isAway({ id })) return [];
    if (!people.some(({ userId }) => userId === id)) return [];
    const words = role === undefined ? REMOVED : ROLE;
    return said.today.some((each) => each.chatId === id && each.at >= at && words.test(each.text))
      ? []
      : [`${id} is ${role ?? 'nobody'} now, and was not told`];
  });
}

// Codes, logins and passwords are read by those alone whose they are: members of their account, and operators only what they
// redeemed themselves; never in a group.
import type { World } from '../world.ts';

const SECRET =
  /\b(?:9|60|325|660)S[A-Za-z0-9]{11,14}\b|topup\.[0-9a-f]{10}@accounts\.invalid|\bcrs_[\w-]{43}\b/g;

export function nothingIsSaidToTheWrongPerson({ said, people, members, secrets, diary }: World): string[] {
  return said.today.flatMap(({ chatId, text }) => {
    const found = text.match(SECRET) ?? [];
    if (found.length === 0) return [];
    const member = members.get(chatId);
    const accounts = [member, ...diary.staffing.filter(({ id }) => id === chatId)].flatMap(
      (each) => each?.accountId ?? [],
    );
    const person = people.find(({ userId }) => userId === chatId)?.name;
    const name = chatId < 0 ? 'a group' : (person ?? String(chatId));
    return found.flatMap((secret) => {
      const owners = secrets.ownersOf(secret);
      if (accounts.some((accountId) => owners.has(accountId))) return [];
      return owners.has(-chatId) ? [] : [`${name} read ${secret}`];
    });
  });
}

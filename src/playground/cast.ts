// Who is in the playground: one person of each role, a stranger and a host, and the group they are all in.
import type { ChatRef, User } from './telegram/types.ts';
import type { BotApi } from './telegram/telegram.ts';
import type { ChatKey, PersonKey } from './protocol.ts';

/** A person before Telegram knows them. */
export interface Role {
  key: PersonKey;
  telegramId: number;
  name: string;
  username: string;
  about: string;
}

/** Everybody, in the order of the switch. */
export const ROLES_PLAYED: readonly Role[] = [
  role('owner', 100_001, 'Owner', 'Whose account it is: may do everything'),
  role('admin', 100_002, 'Admin', 'Runs the shop: adds codes, buys activations, invites people'),
  role('operator', 100_003, 'Operator', 'Redeems for customers all day'),
  role('support', 100_004, 'Support', 'Pulls receipts while a customer is waiting'),
  role('stranger', 100_005, 'Stranger', 'Has never written to the bot: press Start and see'),
  role('host', 900_001, 'Host', 'Hosts the whole service: /accounts, /grant, /health'),
];

/** The members of the seeded account. */
export const MEMBER_KEYS = ['owner', 'admin', 'operator', 'support'] as const;
export const GROUP_TITLE = 'The shop';

export interface Cast {
  group: ChatRef & { title: string };
  user(key: PersonKey): User;
  chat(key: ChatKey): ChatRef;
  /** Who has this Telegram id; undefined for the bot. */
  keyOf(userId: number | undefined): PersonKey | undefined;
  chatKeyOf(chatId: number): ChatKey | undefined;
}

/** What the seeds and HOST_IDS need to know of a person. */
export function findRole(key: PersonKey): Role {
  const found = ROLES_PLAYED.find((one) => one.key === key);
  if (!found) throw new Error(`Nobody plays ${key}.`);
  return found;
}

/** Brings everybody, and the group, into the stand-in for Telegram. */
export function createCast(api: BotApi): Cast {
  const users = new Map(
    ROLES_PLAYED.map(({ key, telegramId: id, name, username }): [PersonKey, User] => [
      key,
      api.createUser({ id, first_name: name, username, language_code: 'en' }),
    ]),
  );
  const group = api.createGroup({ title: GROUP_TITLE, members: [...users.values()] });
  const user = (key: PersonKey): User => {
    const found = users.get(key);
    if (!found) throw new Error(`There is nobody called ${key}.`);
    return found;
  };
  const keyOf = (id: number | undefined) => ROLES_PLAYED.find(({ telegramId }) => telegramId === id)?.key;
  return {
    group,
    user,
    chat: (key) => (key === 'group' ? group : user(key)),
    keyOf,
    chatKeyOf: (chatId) => (chatId === group.id ? 'group' : keyOf(chatId)),
  };
}

function role(key: PersonKey, telegramId: number, name: string, about: string): Role {
  return { key, telegramId, name, username: `the_${key}`, about };
}

// Who is in the playground: one person of each role, a stranger and the service administrator, and the group they are
// all in.
import type { ChatRef, User } from '../test/telegram/types.ts';
import type { BotApi } from '../test/telegram/telegram.ts';

export type PageLanguage = 'en' | 'ru';
/** A sentence in each language of the page. */
export type Said = Record<PageLanguage, string>;

export const said = (en: string, ru: string): Said => ({ en, ru });

/** The members of the seeded account. */
export const MEMBER_KEYS = ['owner', 'admin', 'operator', 'support'] as const;
export type MemberKey = (typeof MEMBER_KEYS)[number];
export type PersonKey = MemberKey | 'stranger' | 'host';
/** A private chat with one of the people, or the group they are all in. */
export type ChatKey = PersonKey | 'group';

/** A person before Telegram knows them: `names` as their Telegram has it, `short` for a button that has no room for that. */
const person = (key: PersonKey, telegramId: number, names: Said, short = names) => ({
  ...{ key, telegramId, names, short, username: `the_${key}` },
});

/** Everybody, in the order of the switch. */
export const PERSONAS = [
  person('owner', 100_001, said('Owner', 'Владелец')),
  person('admin', 100_002, said('Admin', 'Админ')),
  person('operator', 100_003, said('Operator', 'Оператор')),
  person('support', 100_004, said('Support', 'Поддержка')),
  person('stranger', 100_005, said('Stranger', 'Гость')),
  person('host', 900_001, said('Service administrator', 'Администратор сервиса'), said('Service', 'Сервис')),
] as const;

const inGroup = said('Group', 'Группа');
export const GROUP = { names: inGroup, short: inGroup };

export const CHATS: readonly ChatKey[] = [...PERSONAS.map(({ key }) => key), 'group'];

/** What the account is called, and the group: a name is the same in every language. */
export const SHOP_NAME = 'Demo';

export const findPersona = (wanted: PersonKey) => PERSONAS.find(({ key }) => key === wanted)!;

export type Personas = ReturnType<typeof createPersonas>;

/** Brings everybody, and the group, into the stand-in for Telegram, which speaks `language` at first. */
export function createPersonas(api: BotApi, language: PageLanguage) {
  const users = new Map(
    PERSONAS.map(({ key, telegramId: id, names, username }): [PersonKey, User] => [
      key,
      api.createUser({ id, first_name: names[language], username, language_code: language }),
    ]),
  );
  const group = api.createGroup({ title: SHOP_NAME, members: [...users.values()] });
  const user = (key: PersonKey): User => users.get(key)!;
  return {
    user,
    chat: (key: ChatKey): ChatRef => (key === 'group' ? group : user(key)),
    chatKeyOf: (chatId: number | undefined): ChatKey | undefined =>
      chatId === group.id ? 'group' : PERSONAS.find(({ telegramId }) => telegramId === chatId)?.key,
    /** Everybody's Telegram speaks it from now on: their next update says so. */
    speak(spoken: PageLanguage) {
      for (const { key, names } of PERSONAS)
        Object.assign(user(key), { language_code: spoken, first_name: names[spoken] });
    },
  };
}

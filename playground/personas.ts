// Who is in the playground: one person of each role, a stranger and the service administrator, and the group they are
// all in.
import type { ChatRef, User } from '../test/telegram/types.ts';
import type { BotApi } from '../test/telegram/telegram.ts';

export type PageLanguage = 'en' | 'ru';
/** A sentence in each language of the page. */
export type Said = Record<PageLanguage, string>;

export const said = (en: string, ru: string): Said => ({ en, ru });

export type PersonKey = 'owner' | 'admin' | 'operator' | 'support' | 'stranger' | 'host';
/** A private chat with one of the people, or the group they are all in. */
export type ChatKey = PersonKey | 'group';

/** A person before Telegram knows them. */
export interface Persona {
  key: PersonKey;
  telegramId: number;
  /** As their Telegram has it, in the language that it speaks. */
  names: Said;
  username: string;
  /** For a button that has no room for the name. */
  short?: Said;
}

/** Everybody, in the order of the switch. */
export const PERSONAS: readonly Persona[] = [
  role('owner', 100_001, 'Owner', 'Владелец'),
  role('admin', 100_002, 'Admin', 'Админ'),
  role('operator', 100_003, 'Operator', 'Оператор'),
  role('support', 100_004, 'Support', 'Поддержка'),
  role('stranger', 100_005, 'Stranger', 'Гость'),
  {
    ...role('host', 900_001, 'Service administrator', 'Администратор сервиса'),
    short: said('Service', 'Сервис'),
  },
];

export const CHATS: readonly ChatKey[] = [...PERSONAS.map(({ key }) => key), 'group'];

/** The members of the seeded account. */
export const MEMBER_KEYS = ['owner', 'admin', 'operator', 'support'] as const;
/** What the account is called, and the group: a name is the same in every language. */
export const SHOP_NAME = 'Demo';

export interface Personas {
  group: ChatRef & { title: string };
  user(key: PersonKey): User;
  chat(key: ChatKey): ChatRef;
  chatKeyOf(chatId: number): ChatKey | undefined;
  /** Everybody's Telegram speaks it from now on: their next update says so. */
  speak(language: PageLanguage): void;
}

/** What the seeds and HOST_IDS need to know of a person. */
export const findPersona = (wanted: PersonKey): Persona => PERSONAS.find(({ key }) => key === wanted)!;

/** Brings everybody, and the group, into the stand-in for Telegram, which speaks `language` at first. */
export function createPersonas(api: BotApi, language: PageLanguage): Personas {
  const users = new Map(
    PERSONAS.map(({ key, telegramId: id, names, username }): [PersonKey, User] => [
      key,
      api.createUser({ id, first_name: names[language], username, language_code: language }),
    ]),
  );
  const group = api.createGroup({ title: SHOP_NAME, members: [...users.values()] });
  const user = (key: PersonKey): User => users.get(key)!;
  return {
    group,
    user,
    chat: (key) => (key === 'group' ? group : user(key)),
    chatKeyOf: (chatId) =>
      chatId === group.id ? 'group' : PERSONAS.find(({ telegramId }) => telegramId === chatId)?.key,
    speak(spoken) {
      for (const { key, names } of PERSONAS) {
        Object.assign(user(key), { language_code: spoken, first_name: names[spoken] });
      }
    },
  };
}

function role(key: PersonKey, telegramId: number, en: string, ru: string): Persona {
  return { key, telegramId, names: said(en, ru), username: `the_${key}` };
}

// The chat beside a shop: the stand-in for Telegram, people of the shop's account in it, and waiting for what one of
// them reads without looking at what everybody else does.
import { join } from 'node:path';

import type { Role } from '../../src/core/context.ts';
import { createBotApi, type BotApi, type BotApiOptions } from '../telegram/telegram.ts';
import type { SeenMessage, TapAnswer, User } from '../telegram/types.ts';
import { createStore } from '../../src/store/index.ts';
import type { Findings } from './findings.ts';
import { inShop, type Shop } from './shop.ts';
import { UNMETERED } from './unmetered.ts';

const TOKEN = '123456:torture';
const PATIENCE_MS = 120_000;

export interface Chat {
  api: BotApi;
  /** The settings with which a service finds it. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/**
 * A Telegram of one's own, without flood limits unless it is told of some: its people do in seconds what takes them
 * hours.
 */
export async function openChat(options: Partial<BotApiOptions> = {}): Promise<Chat> {
  const settings = { flood: 'none', ...options } as const;
  const api = createBotApi({ token: TOKEN, ...settings });
  const { url } = await api.listen();
  return {
    api,
    env: {
      TELEGRAM_BOT_TOKEN: TOKEN,
      TELEGRAM_API_ROOT: url,
      ...(settings.flood === 'none' && { [UNMETERED]: 'yes' }),
    },
    close: () => api.close(),
  };
}

/** What was found in a shop of its own whose people are in a chat of their own. */
export async function inChat(
  seed: number,
  { env, api }: { env?: Record<string, string>; api?: Partial<BotApiOptions> },
  work: (shop: Shop, chat: Chat) => Promise<void>,
): Promise<Findings> {
  const chat = await openChat(api);
  try {
    return await inShop(seed, { ...env, ...chat.env }, (shop) => work(shop, chat));
  } finally {
    await chat.close();
  }
}

/** Somebody in their private chat with the bot. */
export interface Talker {
  user: User;
  says(text: string): void;
  /** The bot's messages as they stand, deleted ones left out. */
  read(): SeenMessage[];
  /** Which message of the bot is the newest; 0 when there is none. */
  newest(): number;
  /** The newest message that fits, as soon as there is one; undefined when it never came. */
  sees(fits: (message: SeenMessage) => boolean, withinMs?: number): Promise<SeenMessage | undefined>;
  /** Presses a button; resolves with what the bot answered to the tap. */
  presses(message: SeenMessage, label: string | RegExp): Promise<TapAnswer | undefined>;
}

/** Somebody new, who has not written yet. */
export function createTalker(api: BotApi, name: string, id?: number): Talker {
  const user = api.createUser({ first_name: name, language_code: 'en', ...(id !== undefined && { id }) });
  const read = () => api.messages(user).filter((message) => message.byBot && !message.deleted);
  return {
    user,
    says: (text) => void api.send(user, user, text),
    read,
    newest: () => read().at(-1)?.id ?? 0,
    sees: (fits, withinMs = PATIENCE_MS) => waitInChat(api, user, () => read().findLast(fits), withinMs),
    presses(message, label) {
      const button = findButton(message, label);
      if (!button) throw new Error(`there is no button ${String(label)} under: ${message.text}`);
      return api.press(user, message, { data: button.callback_data ?? '' });
    },
  };
}

export function findButton({ buttons }: SeenMessage, label: string | RegExp) {
  return buttons.find(({ text }) => (typeof label === 'string' ? text === label : label.test(text)));
}

/** Looks only when something happens in this chat: the stand-in's own waiting looks at every event of everybody. */
function waitInChat<T>(
  api: BotApi,
  user: User,
  look: () => T | undefined,
  withinMs: number,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const settle = (found: T | undefined) => {
      clearTimeout(timer);
      unwatch();
      resolve(found);
    };
    const timer = setTimeout(() => settle(undefined), withinMs);
    const unwatch = api.watch(({ kind, chatId }) => {
      if (chatId !== user.id || kind === 'answer' || kind === 'action') return;
      const found = look();
      if (found !== undefined) settle(found);
    });
    const found = look();
    if (found !== undefined) settle(found);
  });
}

/** Makes people members of an account, beside the running service, as another process would. */
export async function makeMembers(
  folder: string,
  accountId: number,
  role: Role,
  talkers: readonly Talker[],
): Promise<void> {
  const store = createStore({ path: join(folder, 'redemption.db'), exclusive: false });
  try {
    await store.write((tables) => {
      for (const { user } of talkers) {
        const person = { telegramId: user.id, name: user.first_name, username: null };
        tables.members.insert({ ...person, accountId, role, now: Date.now() });
      }
    });
  } finally {
    await store.close();
  }
}

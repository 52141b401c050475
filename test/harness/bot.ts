// People who chat with the bot in tests: each line of a test is something that a person does or sees.
// The bot is reached over HTTP through the local Bot API; nothing here knows what the bot does.
import type { PersonMessage, SentMessage } from '../telegram/people.ts';
import type { NewUser } from '../telegram/chats.ts';
import type { BotApi } from '../telegram/telegram.ts';
import type { ChatRef, SeenMessage, TapAnswer, User } from '../telegram/types.ts';

/** What a message must look like: a part of its text, a pattern, or a condition. */
export type Pattern = string | RegExp | ((message: SeenMessage) => boolean);

/** A person with the bot's private chat open; `inChat` gives the same person in a group. */
export interface Person {
  user: User;
  chat: ChatRef;
  says(content: PersonMessage): SentMessage;
  /** A paste of any length, cut by the client. */
  pastes(text: string): SentMessage[];
  sendsFile(name: string, bytes: string | Uint8Array, caption?: string): SentMessage;
  /**
   * Waits for a button whose label is or matches `label` on a message in this chat and presses the newest.
   * Resolves with what the bot answered to the tap; undefined when it never did.
   */
  presses(label: string | RegExp): Promise<TapAnswer | undefined>;
  /** The text that the copy button of this label puts into the clipboard. */
  copies(label: string | RegExp): Promise<string>;
  /** Follows the link button of this label to the bot. */
  opens(label: string | RegExp): Promise<void>;
  /** Waits for a message of the bot that matches, the newest first; as it stands then. */
  sees(pattern: Pattern, timeoutMs?: number): Promise<SeenMessage>;
  /** Throws when a message of the bot, as it stands now, matches. */
  doesNotSee(pattern: Pattern): void;
  /** The bot's newest message that is not deleted. Throws when there is none. */
  last(): SeenMessage;
  /** Every message of the bot in this chat as it stands, deleted ones left out. */
  all(): SeenMessage[];
  /** From now on `sees` looks only at messages that come or change after this moment. */
  looksAway(): void;
  inChat(chat: ChatRef): Person;
}

/** A person in their private chat with the bot, who has not written yet. */
export function createPerson(api: BotApi, asked: NewUser): Person {
  const user = api.createUser(asked);
  return personOf(api, user);
}

/** A person who is known to the Bot API already. */
export function personOf(api: BotApi, user: User): Person {
  return personIn(api, user, user);
}

const defaultTimeoutMs = 10_000;

function personIn(api: BotApi, user: User, chat: ChatRef): Person {
  // What stood on the screen when the person looked away: a message counts again once it has changed.
  let before = new Map<number, number>();
  const all = () => api.messages(chat).filter((one) => one.byBot && !one.deleted);
  const fresh = () => all().filter((one) => before.get(one.id) !== one.edits);

  async function sees(pattern: Pattern, timeoutMs = defaultTimeoutMs): Promise<SeenMessage> {
    try {
      return await api.waitFor(() => fresh().findLast((one) => matches(one, pattern)), timeoutMs);
    } catch (error) {
      throw new Error(`${user.first_name} did not see ${describe(pattern)}; ${onScreen(all())}`, {
        cause: error,
      });
    }
  }

  const buttonOn = (message: SeenMessage, label: string | RegExp) =>
    message.buttons.find((one) => (typeof label === 'string' ? one.text === label : label.test(one.text)));

  async function findButton(label: string | RegExp) {
    const message = await api
      .waitFor(() => all().findLast((one) => buttonOn(one, label)), defaultTimeoutMs)
      .catch((error: unknown) => {
        const missing = `${user.first_name} has no button ${describe(label)}; ${onScreen(all())}`;
        throw new Error(missing, { cause: error });
      });
    return { message, button: buttonOn(message, label)! };
  }

  return {
    user,
    chat,
    says: (content) => api.send(user, chat, content),
    pastes: (text) => api.sendLong(user, chat, text),
    sendsFile: (name, bytes, caption) =>
      api.send(user, chat, {
        document: { name, bytes: Buffer.from(bytes), ...(caption === undefined ? {} : { caption }) },
      }),
    async presses(label) {
      const { message, button } = await findButton(label);
      return api.press(user, message, button.text);
    },
    async copies(label) {
      const { button } = await findButton(label);
      if (!button.copy_text) throw new Error(`the button ${button.text} copies nothing`);
      return button.copy_text.text;
    },
    async opens(label) {
      const { button } = await findButton(label);
      if (!button.url) throw new Error(`the button ${button.text} leads nowhere`);
      api.open(user, button.url);
    },
    sees,
    doesNotSee(pattern) {
      const found = fresh().find((one) => matches(one, pattern));
      if (found) throw new Error(`${user.first_name} sees ${describe(pattern)}: ${found.text}`);
    },
    last() {
      const newest = all().at(-1);
      if (!newest) throw new Error(`${user.first_name} has no message of the bot`);
      return newest;
    },
    all,
    looksAway: () => void (before = new Map(all().map((one) => [one.id, one.edits]))),
    inChat: (other) => personIn(api, user, other),
  };
}

function matches(message: SeenMessage, pattern: Pattern): boolean {
  if (typeof pattern === 'string') return message.text.includes(pattern);
  return typeof pattern === 'function' ? pattern(message) : pattern.test(message.text);
}

function describe(pattern: Pattern): string {
  return typeof pattern === 'string' ? JSON.stringify(pattern) : String(pattern);
}

function onScreen(messages: SeenMessage[]): string {
  const newest = messages.slice(-4).map((one) => {
    const labels = one.buttons.map((button) => `[${button.text}]`).join(' ');
    return `  #${one.id} ${one.text.slice(0, 300)} ${labels}`;
  });
  return newest.length === 0 ? 'the bot wrote nothing' : `on the screen:\n${newest.join('\n')}`;
}

// Taps on buttons: a callback query is made, and answered once, in time.
import type { Method } from './messages.ts';
import { badRequest, type Button, type StoredMessage, type TapAnswer, type User } from './types.ts';
import type { UpdateQueue } from './updates.ts';
import { wireMessage, type World } from './world.ts';

/** Which button: its label, its place (counted from 0, row after row), or the data it would send. */
type Which = string | number | { data: string };

/** A message that somebody has on the screen; its buttons may have changed meanwhile. */
interface OnScreen {
  id: number;
  chatId: number;
  markup?: StoredMessage['markup'];
}

export interface Taps {
  /** Resolves with the bot's answer, or undefined when none came in time. Throws when there is no such button. */
  press(user: User, message: OnScreen, which: Which): Promise<TapAnswer | undefined>;
  methods: Record<string, Method>;
}

interface OpenQuery {
  at: number;
  answered: (answer: TapAnswer) => void;
}

/**
 * Callback queries, each answerable once within `lifetimeMs` of the injected clock; a person waits as long in real
 * time.
 */
export function createTaps(world: World, updates: UpdateQueue, lifetimeMs: number): Taps {
  const open = new Map<string, OpenQuery>();
  let count = 0;

  function press(user: User, message: OnScreen, which: Which): Promise<TapAnswer | undefined> {
    const chat = world.getChat(message.chatId);
    if (!chat.members.has(user.id)) throw new Error(`${user.first_name} is not in this chat`);
    const kept = chat.messages.find((one) => one.id === message.id);
    if (!kept) throw new Error(`there is no message ${message.id} in this chat`);
    const data = dataOf(which, message.markup, kept.markup);
    count += 1;
    const id = `${user.id}${String(count).padStart(8, '0')}`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), lifetimeMs);
      timer.unref();
      const answered = (answer: TapAnswer) => {
        clearTimeout(timer);
        world.emit({
          kind: 'answer',
          chatId: chat.id,
          messageId: message.id,
          detail: { userId: user.id, ...answer },
        });
        resolve(answer);
      };
      open.set(id, { at: world.clock.now(), answered });
      const shown = kept.deleted
        ? { chat: wireMessage(world, kept)['chat'], message_id: kept.id, date: 0 }
        : wireMessage(world, kept);
      updates.push('callback_query', { id, from: user, message: shown, chat_instance: `${chat.id}`, data });
    });
  }

  const answerCallbackQuery: Method = (params) => {
    const id = params.text('callback_query_id') ?? '';
    const text = params.text('text') ?? '';
    if (text.length > 200) throw badRequest('MESSAGE_TOO_LONG');
    const query = open.get(id);
    open.delete(id);
    if (!query || world.clock.now() - query.at > lifetimeMs) {
      throw badRequest('query is too old and response timeout expired or query ID is invalid');
    }
    query.answered({
      text: text === '' ? undefined : text,
      alert: params.flag('show_alert'),
      url: params.text('url'),
    });
    return true;
  };

  return { press, methods: { answerCallbackQuery } };
}

/** A button may be pressed as it was on the screen, also when the bot has changed it since. */
function dataOf(which: Which, onScreen: OnScreen['markup'], now: OnScreen['markup']): string {
  if (typeof which === 'object') return which.data;
  const button = findButton(which, onScreen) ?? findButton(which, now);
  if (!button) {
    const labels = (now?.inline_keyboard ?? []).flat().map((one) => one.text);
    throw new Error(`there is no button ${which}, only: ${labels.join(' | ')}`);
  }
  if (button.callback_data === undefined)
    throw new Error(`the button ${button.text} sends nothing to the bot`);
  return button.callback_data;
}

function findButton(which: string | number, markup: OnScreen['markup']): Button | undefined {
  const buttons = (markup?.inline_keyboard ?? []).flat();
  if (typeof which === 'number') return buttons[which];
  return buttons.find((one) => one.text === which) ?? buttons.find((one) => one.callback_data === which);
}

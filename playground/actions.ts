// What the visitor does: as one of the people through the stand-in for Telegram, or to its process.
import { z } from 'zod';

import type { BotApi } from '../test/telegram/telegram.ts';
import type { Button, SeenMessage } from '../test/telegram/types.ts';
import type { Personas } from './personas.ts';
import { PERSON_KEYS, type PlayAction, type PlayActionAnswer } from './protocol.ts';
import type { ServiceProcess } from './service-process.ts';
import type { Views } from './views.ts';

const Person = z.enum(PERSON_KEYS);
const Chat = z.union([Person, z.literal('group')]);
const place = z.int().nonnegative();

const ActionBody: z.ZodType<PlayAction> = z.discriminatedUnion('action', [
  z.object({ action: z.literal('say'), person: Person, chat: Chat, text: z.string() }),
  z.object({
    action: z.literal('attach'),
    person: Person,
    chat: Chat,
    name: z.string().min(1).max(200),
    base64: z.base64(),
    caption: z.string().max(1024).exactOptional(),
  }),
  z.object({
    action: z.literal('press'),
    person: Person,
    chat: Chat,
    messageId: place,
    row: place,
    column: place,
  }),
  z.object({ action: z.literal('open'), person: Person, link: z.string() }),
  z.object({ action: z.literal('console'), person: Person }),
  z.object({ action: z.literal('pay'), person: Person, chat: Chat, messageId: place }),
  z.object({ action: z.literal('freshSamples'), key: z.string().exactOptional() }),
  z.object({ action: z.literal('language'), language: z.enum(['en', 'ru']) }),
  z.object({ action: z.literal('kill') }),
]);

export interface ActionsDeps {
  api: BotApi;
  personas: Personas;
  views: Views;
  service: Pick<ServiceProcess, 'linkToConsole'>;
  /** Answers when the service serves again. */
  kill: () => Promise<PlayActionAnswer>;
  freshSamples: (key: string | undefined) => void;
  /** Greets whoever has said nothing yet. */
  greet: () => Promise<void>;
}

/** Does what a body of JSON asks for; what cannot be done is answered in a sentence. */
export function createActions(deps: ActionsDeps): (body: unknown) => Promise<PlayActionAnswer> {
  return async (body) => {
    const parsed = ActionBody.safeParse(body);
    if (!parsed.success) return { ok: false, error: z.prettifyError(parsed.error) };
    try {
      return await act(deps, parsed.data);
    } catch (error) {
      return { ok: false, error: error instanceof Error ? error.message : String(error) };
    }
  };
}

async function act(
  { api, personas, views, service, kill, freshSamples, greet }: ActionsDeps,
  asked: PlayAction,
): Promise<PlayActionAnswer> {
  switch (asked.action) {
    case 'say':
      if (asked.text.trim() === '') return { ok: false, error: 'There is nothing to send.' };
      api.sendLong(personas.user(asked.person), personas.chat(asked.chat), asked.text);
      return { ok: true };
    case 'attach': {
      const { name, base64, caption } = asked;
      const bytes = Buffer.from(base64, 'base64');
      const document = { name, bytes, ...(caption === undefined ? {} : { caption }) };
      api.send(personas.user(asked.person), personas.chat(asked.chat), { document });
      return { ok: true };
    }
    case 'press': {
      const message = views.find(asked.chat, asked.messageId);
      const button = message.markup?.inline_keyboard?.[asked.row]?.[asked.column];
      if (!button) return { ok: false, error: 'This button is not there any more.' };
      return press({ api, personas }, asked, message, button);
    }
    case 'open':
      api.open(personas.user(asked.person), asked.link);
      return { ok: true };
    case 'console':
      return { ok: true, url: await service.linkToConsole(personas.user(asked.person).id) };
    case 'pay':
      return pay({ api, personas }, asked, views.find(asked.chat, asked.messageId));
    case 'freshSamples':
      freshSamples(asked.key);
      return { ok: true };
    case 'language':
      personas.speak(asked.language);
      await greet();
      return { ok: true };
    case 'kill':
      return kill();
  }
}

/** Any kind of button, as a client handles it. What copies is for the page alone. */
async function press(
  { api, personas }: Pick<ActionsDeps, 'api' | 'personas'>,
  by: Extract<PlayAction, { action: 'press' }>,
  message: SeenMessage,
  button: Button,
): Promise<PlayActionAnswer> {
  const user = personas.user(by.person);
  if (button.pay) return pay({ api, personas }, by, message);
  if (button.url !== undefined) {
    if (!button.url.startsWith(`https://t.me/${api.bot.username}`)) return { ok: true, url: button.url };
    if (button.url.includes('?start=')) api.open(user, button.url);
    return { ok: true };
  }
  if (button.callback_data === undefined) return { ok: true };
  const answer = await api.press(user, message, { data: button.callback_data });
  if (!answer) return { ok: true, toast: 'The bot did not answer the tap. Is the service running?' };
  const { text, alert, url } = answer;
  return {
    ok: true,
    alert,
    ...(text === undefined ? {} : { toast: text }),
    ...(url === undefined ? {} : { url }),
  };
}

async function pay(
  { api, personas }: Pick<ActionsDeps, 'api' | 'personas'>,
  by: { person: Parameters<Personas['user']>[0] },
  invoice: SeenMessage,
): Promise<PlayActionAnswer> {
  const paid = await api.pay(personas.user(by.person), invoice);
  return !paid.ok && 'error' in paid ? { ok: false, error: paid.error } : { ok: true };
}

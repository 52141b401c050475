// What the visitor does: as one of the people through the stand-in for Telegram, or to the machinery underneath.
import { z } from 'zod';

import type { BotApi } from './telegram/telegram.ts';
import type { Button, SeenMessage } from './telegram/types.ts';
import type { Personas } from './personas.ts';
import type { Machinery } from './faults.ts';
import { PERSON_KEYS, type Act, type ActAnswer } from './protocol.ts';
import type { Views } from './views.ts';

const Person = z.enum(PERSON_KEYS);
const Chat = z.union([Person, z.literal('group')]);
const place = z.int().nonnegative();

const ActBody: z.ZodType<Act> = z.discriminatedUnion('act', [
  z.object({ act: z.literal('say'), person: Person, chat: Chat, text: z.string() }),
  z.object({
    act: z.literal('attach'),
    person: Person,
    chat: Chat,
    name: z.string().min(1).max(200),
    base64: z.base64(),
    caption: z.string().max(1024).exactOptional(),
  }),
  z.object({
    act: z.literal('press'),
    person: Person,
    chat: Chat,
    messageId: place,
    row: place,
    column: place,
  }),
  z.object({ act: z.literal('open'), person: Person, link: z.string() }),
  z.object({ act: z.literal('pay'), person: Person, chat: Chat, messageId: place }),
  z.object({ act: z.literal('platform'), up: z.boolean() }),
  z.object({ act: z.literal('freshSamples'), key: z.string().exactOptional() }),
  z.object({ act: z.literal('language'), language: z.enum(['en', 'ru']) }),
  ...(['nextTimesOut', 'kill', 'jumpDay', 'redeliver'] as const).map((act) =>
    z.object({ act: z.literal(act) }),
  ),
]);

export interface ActsDeps {
  api: BotApi;
  cast: Personas;
  views: Views;
  machinery: Machinery;
  freshSamples: (key: string | undefined) => void;
  /** Greets whoever has said nothing yet. */
  greet: () => Promise<void>;
}

/** Does what a body of JSON asks for; what cannot be done is answered in a sentence. */
export function createActs(deps: ActsDeps): (body: unknown) => Promise<ActAnswer> {
  return async (body) => {
    const parsed = ActBody.safeParse(body);
    if (!parsed.success) return { ok: false, error: z.prettifyError(parsed.error) };
    try {
      return await act(deps, parsed.data);
    } catch (error) {
      return { ok: false, error: error instanceof Error ? error.message : String(error) };
    }
  };
}

async function act(
  { api, cast, views, machinery, freshSamples, greet }: ActsDeps,
  asked: Act,
): Promise<ActAnswer> {
  switch (asked.act) {
    case 'say':
      if (asked.text.trim() === '') return { ok: false, error: 'There is nothing to send.' };
      api.sendLong(cast.user(asked.person), cast.chat(asked.chat), asked.text);
      return { ok: true };
    case 'attach': {
      const { name, base64, caption } = asked;
      const bytes = Buffer.from(base64, 'base64');
      const document = { name, bytes, ...(caption === undefined ? {} : { caption }) };
      api.send(cast.user(asked.person), cast.chat(asked.chat), { document });
      return { ok: true };
    }
    case 'press': {
      const message = views.find(asked.chat, asked.messageId);
      const button = message.markup?.inline_keyboard?.[asked.row]?.[asked.column];
      if (!button) return { ok: false, error: 'This button is not there any more.' };
      return press({ api, cast }, asked, message, button);
    }
    case 'open':
      api.open(cast.user(asked.person), asked.link);
      return { ok: true };
    case 'pay':
      return pay({ api, cast }, asked, views.find(asked.chat, asked.messageId));
    case 'freshSamples':
      freshSamples(asked.key);
      return { ok: true };
    case 'language':
      cast.speak(asked.language);
      await greet();
      return { ok: true };
    case 'nextTimesOut':
      return machinery.letNextTimeOut();
    case 'platform':
      return machinery.setPlatform(asked.up);
    case 'kill':
      return machinery.killAndStart();
    case 'jumpDay':
      return machinery.jumpDay();
    case 'redeliver':
      return machinery.redeliver();
  }
}

/** Any kind of button, as a client handles it. What copies is for the page alone. */
async function press(
  { api, cast }: Pick<ActsDeps, 'api' | 'cast'>,
  by: Extract<Act, { act: 'press' }>,
  message: SeenMessage,
  button: Button,
): Promise<ActAnswer> {
  const user = cast.user(by.person);
  if (button.pay) return pay({ api, cast }, by, message);
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
  { api, cast }: Pick<ActsDeps, 'api' | 'cast'>,
  by: { person: Parameters<Personas['user']>[0] },
  invoice: SeenMessage,
): Promise<ActAnswer> {
  const paid = await api.pay(cast.user(by.person), invoice);
  return !paid.ok && 'error' in paid ? { ok: false, error: paid.error } : { ok: true };
}

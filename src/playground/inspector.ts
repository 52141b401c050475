// What goes between Telegram and the bot, kept for the inspector: for each message the update that brought it or led to
// it, and the calls by which the bot made and changed it. Secrets are covered as they are asked for.
import { redactAnswer, redactCall, redactUpdate } from './redaction.ts';
import type { BehindMessage } from './protocol.ts';
import type { Call } from './telegram/calls.ts';
import type { SeenMessage, Update, WorldEvent } from './telegram/types.ts';

export interface Inspector {
  /** To be told of everything that happens in the stand-in. */
  note(event: WorldEvent): void;
  behind(message: SeenMessage): BehindMessage;
}

interface Entry {
  at: number;
  chatId: number | undefined;
  messageId: number | undefined;
  update?: Update;
  call?: Call;
}

const KEPT = 3_000;
/** A message of a person leads to a few calls; an import of many goes on for long. */
const MOST_STEPS = 40;

/** Nothing yet. `now` dates the updates. */
export function createInspector(now: () => number): Inspector {
  const entries: Entry[] = [];
  /** Where the button of a query stands, by the query's id: its answer names nothing else. */
  const queries = new Map<string, Place>();

  function add(entry: Entry): void {
    entries.push(entry);
    if (entries.length > KEPT) entries.shift();
  }

  return {
    note({ kind, detail }) {
      if (kind === 'update') {
        const update = detail as Update;
        const place = placeOfUpdate(update);
        if (place.queryId !== undefined) queries.set(place.queryId, place);
        add({ at: now(), chatId: place.chatId, messageId: place.messageId, update });
      }
      if (kind === 'call') {
        const call = detail as Call;
        add({ at: call.at, ...placeOfCall(call, queries), call });
      }
    },
    behind(message) {
      const inChat = entries.filter(({ chatId }) => chatId === message.chatId);
      const steps = message.byBot ? aboutBots(inChat, message.id) : fromPersons(inChat, message.id);
      return { steps: steps.slice(0, MOST_STEPS).map(stepOf) };
    },
  };
}

/** What made and changed it, what was pressed under it, and what came before all that. */
function aboutBots(inChat: Entry[], messageId: number): Entry[] {
  const own = inChat.filter((entry) => entry.messageId === messageId);
  const [first] = own;
  if (!first) return [];
  const cause = inChat.slice(0, inChat.indexOf(first)).findLast(({ update }) => update !== undefined);
  return cause ? [cause, ...own] : own;
}

/** Its update, as often as it was delivered, and what the bot did in this chat until the next one came. */
function fromPersons(inChat: Entry[], messageId: number): Entry[] {
  const first = inChat.findIndex((entry) => entry.update !== undefined && entry.messageId === messageId);
  if (first < 0) return [];
  const rest = inChat.slice(first + 1);
  const end = rest.findIndex((entry) => entry.update !== undefined && entry.messageId !== messageId);
  return [inChat[first]!, ...(end < 0 ? rest : rest.slice(0, end))];
}

function stepOf({ at, update, call }: Entry): BehindMessage['steps'][number] {
  if (update) {
    const kind = Object.keys(update).find((name) => name !== 'update_id') ?? 'update';
    return { at, kind: 'update', title: `${kind} · ${update.update_id}`, body: redactUpdate(update) };
  }
  const { method = '', payload = {}, result, error } = call ?? {};
  return {
    at,
    kind: 'call',
    title: method,
    body: redactCall(payload),
    answer: error ?? redactAnswer(result),
  };
}

type Place = { chatId?: number; messageId?: number; queryId?: string };

interface MessageShape {
  message_id?: number;
  chat?: { id: number };
}

function placeOfUpdate(update: Update): Place {
  const query = update['callback_query'] as { id: string; message?: MessageShape } | undefined;
  const checkout = update['pre_checkout_query'] as { id: string; from: { id: number } } | undefined;
  const message = (query?.message ?? update['message'] ?? update['edited_message']) as
    MessageShape | undefined;
  const chatId = message?.chat?.id ?? checkout?.from.id;
  const queryId = query?.id ?? checkout?.id;
  return {
    ...(chatId === undefined ? {} : { chatId }),
    ...(message?.message_id === undefined ? {} : { messageId: message.message_id }),
    ...(queryId === undefined ? {} : { queryId }),
  };
}

function placeOfCall(
  { payload, result }: Call,
  queries: ReadonlyMap<string, Place>,
): Pick<Entry, 'chatId' | 'messageId'> {
  const queryId = payload['callback_query_id'] ?? payload['pre_checkout_query_id'];
  const asked = typeof queryId === 'string' ? queries.get(queryId) : undefined;
  const chatId = payload['chat_id'] ?? asked?.chatId;
  const messageId =
    (result as MessageShape | undefined)?.message_id ?? payload['message_id'] ?? asked?.messageId;
  return { chatId: numberOf(chatId), messageId: numberOf(messageId) };
}

function numberOf(value: unknown): number | undefined {
  const number = Number(value);
  return value === undefined || Number.isNaN(number) ? undefined : number;
}

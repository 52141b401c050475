// Dead letters: what is said of an update that brought the process down three times: to whoever sent it, that it was
// put aside; to the hosts who it was, when, and what kind of thing. Never what it said.
import type { Update } from 'grammy/types';

import type { BotDeps } from '../context.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { formatMoment, zoneOf } from '../moments.ts';
import { name, toLanguage, type Language } from '../texts.ts';
import type { Entry } from './chat-order.ts';
import { toOutgoingRow } from '../outgoing.ts';
import { findLanguageOf, findSender, toPerson } from '../actor.ts';

type Deps = Pick<BotDeps, 'core' | 'store' | 'settings' | 'texts'>;

/** Rows of the outbox, the same ones whenever it is asked again. */
export function renderDeadLetter(deps: Deps, { update, receivedAt }: Entry): OutgoingRow[] {
  const { texts, settings } = deps;
  const from = findSender(update);
  const { message, edited_message: edited, callback_query: tap, my_chat_member: membership } = update;
  const chatId = (message ?? edited ?? tap?.message ?? membership)?.chat.id ?? from?.id;
  const number = String(update.update_id);
  const facts = (language: Language, reader: number) => ({
    when: formatMoment(language, receivedAt, zoneOf(deps, deps.core.members.findActor(reader))),
    kind: texts.label(language, ...formatKind(update)),
    update: number,
    person: from ? name(toPerson(from).name) : '—',
    id: String(from?.id ?? '—'),
  });
  const rows = settings.hostIds.map((id) => {
    const language = findLanguageOf(deps, id);
    const html = texts.say(language, 'host-update-set-aside', facts(language, id));
    return toOutgoingRow(`set-aside:${number}:${id}`, id, { html });
  });
  // In a group nobody has to know; to a stranger who never wrote nothing can be sent, and the outbox drops it.
  if (!from || from.is_bot || chatId !== from.id) return rows;
  const kept = deps.store.preferences.find(from.id);
  const language = kept ? findLanguageOf(deps, from.id) : toLanguage(from.language_code);
  const html = texts.say(language, 'update-set-aside', facts(language, from.id));
  return [toOutgoingRow(`set-aside:${number}:person`, from.id, { html }), ...rows];
}

/** The key of the words for what kind it is, and what they need. */
function formatKind({ message, callback_query: tap }: Update): [key: string, variables: { what: string }] {
  const first = message?.entities?.[0];
  const isCommand = first?.type === 'bot_command' && first.offset === 0;
  if (isCommand) return ['set-aside-command', { what: name(message?.text?.slice(0, first.length) ?? '') }];
  if (message?.successful_payment ?? message?.refunded_payment) return ['set-aside-money', { what: '' }];
  if (message?.document) return ['set-aside-file', { what: '' }];
  if (message) return ['set-aside-message', { what: '' }];
  // The first word of a button's data says what it does; what follows may be the id of an action.
  if (tap) return ['set-aside-tap', { what: name(tap.data?.split(':')[0] ?? '') }];
  return ['set-aside-other', { what: '' }];
}

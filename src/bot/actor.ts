// The actor of an update: the member, the language and the kind of chat, looked up again for every update; what people
// are called, and how somebody who is not talking is told something later.
import type { Update, User } from 'grammy/types';
import type { MiddlewareFn } from 'grammy';

import { grantOf, ROLES, type Permission, type ActorLabel, type Notice } from '../core/index.ts';
import type { BotContext, BotDeps } from './context.ts';
import { reply, answerTap } from './replies.ts';
import { findLanguage } from '../locales.ts';
import { toLanguage, type Language, name } from './texts.ts';
import { describeError } from './errors.ts';
import type { OutgoingRow } from '../store/bot-store.ts';
import { toOutgoingRow, type Outgoing } from './outgoing.ts';

/** Puts the flavour on the context. */
export function recognise({ core, store, texts, settings }: BotDeps): MiddlewareFn<BotContext> {
  return async (ctx, next) => {
    const person = ctx.from;
    const chosen = person && store.preferences.find(person.id)?.language;
    const language = findLanguage(chosen) ?? toLanguage(person?.language_code);
    ctx.actor = person && core.members.findActor(person.id);
    ctx.isHost = person !== undefined && settings.hostIds.includes(person.id);
    ctx.isPrivate = ctx.chat === undefined || ctx.chat.type === 'private';
    ctx.language = language;
    ctx.say = (key, variables) => texts.say(language, key, variables);
    ctx.label = (key, variables) => texts.label(language, key, variables);
    await next();
  };
}

/** Who may do something: whom the table of permissions lets, or one of these. */
export type Allowed = Permission | 'everyone' | 'members' | 'hosts' | 'insiders';

/** The key of the sentence that says who may; undefined where this person may. */
export function refusalFor(ctx: Pick<BotContext, 'actor' | 'isHost'>, needs: Allowed): string | undefined {
  const { actor, isHost } = ctx;
  switch (needs) {
    case 'everyone':
      return undefined;
    case 'members':
      return actor ? undefined : 'refusal-stranger';
    case 'hosts':
      return isHost ? undefined : 'refusal-host';
    case 'insiders':
      return actor || isHost ? undefined : 'refusal-stranger';
    default:
      return actor && grantOf(actor, needs) !== 'no' ? undefined : refusalOf(ctx, needs);
  }
}

/** Whether this person may; who may not is told so in one sentence. */
export async function may(ctx: BotContext, needs: Allowed): Promise<boolean> {
  const key = refusalFor(ctx, needs);
  if (key === undefined) return true;
  if (ctx.callbackQuery) answerTap(ctx, ctx.label(key), true);
  else await reply(ctx, ctx.say(key));
  return false;
}

/** The key of the sentence that says who has this permission. */
export function refusalOf({ actor }: Pick<BotContext, 'actor'>, permission: Permission): string {
  if (!actor) return 'refusal-stranger';
  const least = ROLES.findLast((role) => grantOf({ ...actor, role }, permission) !== 'no');
  return `refusal-for-${least ?? 'owner'}`;
}

type Label = (key: string, variables?: Record<string, string>) => string;

export function labelActor(label: Label, actorLabel: ActorLabel): string {
  switch (actorLabel.kind) {
    case 'member':
      return actorLabel.name === undefined
        ? label('receipt-by-former', { id: String(actorLabel.telegramId) })
        : name(actorLabel.name);
    case 'apiKey':
      return label('receipt-by-api-key', { prefix: actorLabel.prefix ?? String(actorLabel.apiKeyId) });
    case 'claim':
      return label('receipt-by-claim', { claim: actorLabel.claim ?? '' });
    case 'host':
      return label('receipt-by-host');
    case 'lost':
      return label('receipt-by-lost');
  }
}

interface Person {
  telegramId: number;
  name: string;
  username?: string | undefined;
}

/** A Telegram user as the core takes one. */
export function toPerson({ id, first_name, last_name, username }: User): Person {
  return { telegramId: id, name: [first_name, last_name].filter(Boolean).join(' '), username };
}

/**
 * Keeps what people are called now. It is no reason to leave anything unanswered where that fails: their next update
 * tells it again.
 */
export function storeNames({ core, log }: Pick<BotDeps, 'core' | 'log'>): MiddlewareFn<BotContext> {
  return async (ctx, next) => {
    if (ctx.from && !ctx.from.is_bot)
      await core.members
        .saveName(toPerson(ctx.from))
        .catch((error: unknown) =>
          log.warn({ error: describeError(error) }, 'what somebody is called now could not be kept'),
        );
    await next();
  };
}

/** Who sent an update; undefined where nobody did. */
export function findSender({
  message,
  edited_message: edited,
  callback_query: tap,
  my_chat_member: membership,
  pre_checkout_query: checkout,
}: Update): User | undefined {
  return (message ?? edited ?? tap ?? membership ?? checkout)?.from;
}

/** Whether a member of some account sent it, or a host. */
export function isOfMember({ core, settings }: Pick<BotDeps, 'core' | 'settings'>, update: Update): boolean {
  const from = findSender(update);
  if (!from) return false;
  return settings.hostIds.includes(from.id) || core.members.findActor(from.id) !== undefined;
}

/** ` @user`, to stand behind a name; nothing for who has none. */
export const formatHandle = (username: string | undefined): string =>
  username === undefined ? '' : ` @${username}`;

/** `Name @user (5170925570)`, as hosts read it. */
export function formatPerson({ telegramId, name: called, username }: Person): string {
  return `${name(called)}${formatHandle(username)} (${telegramId})`;
}

/** The language of somebody who is not talking: the chosen one, or the one that the menu was set in last. */
export function findLanguageOf({ store }: Pick<BotDeps, 'store'>, telegramId: number): Language {
  const kept = store.preferences.find(telegramId);
  return findLanguage(kept?.language) ?? findLanguage(kept?.menu.split(':')[0]) ?? 'en';
}

/** Whether they chose not to be told of this kind. */
export const isMuted = (
  { store }: Pick<BotDeps, 'store'>,
  telegramId: number,
  kind: Notice['kind'],
): boolean => (store.preferences.find(telegramId)?.mutedNotices ?? '').split(',').includes(kind);

/**
 * A message for somebody, in their language: for the outbox, together with what it tells of. The same key again is the
 * same message; `known` is their language where it is.
 */
export function renderFor(
  deps: Pick<BotDeps, 'store'>,
  key: string,
  telegramId: number,
  word: (language: Language) => Outgoing,
  known?: Language,
): OutgoingRow {
  return toOutgoingRow(key, telegramId, word(known ?? findLanguageOf(deps, telegramId)));
}

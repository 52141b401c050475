// People other than the one who is talking: who they are for the core, their language, and telling them something later.
import type { MiddlewareFn } from 'grammy';
import type { Update, User } from 'grammy/types';

import type { Notice } from '../../core/index.ts';

import { findLanguage } from '../actor.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { toOutgoingRow, type Outgoing } from '../outgoing.ts';
import { name, type Language } from '../texts.ts';

interface Person {
  telegramId: number;
  name: string;
  username?: string | undefined;
}

/** A Telegram user as the core takes one. */
export function toPerson({ id, first_name, last_name, username }: User): Person {
  return { telegramId: id, name: [first_name, last_name].filter(Boolean).join(' '), username };
}

/** Keeps what people are called now. It is no reason to leave anything unanswered where that fails: their next update tells it again. */
export function keepNames({ core, log }: Pick<BotDeps, 'core' | 'log'>): MiddlewareFn<BotContext> {
  return async (ctx, next) => {
    if (ctx.from && !ctx.from.is_bot)
      await core.members
        .keepName(toPerson(ctx.from))
        .catch((error: unknown) =>
          log.warn({ error: describeError(error) }, 'what somebody is called now could not be kept'),
        );
    await next();
  };
}

/** Who sent an update; undefined where nobody did. */
function findSender({
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
export const wordHandle = (username: string | undefined): string =>
  username === undefined ? '' : ` @${username}`;

/** `Name @user (5170925570)`, as hosts read it. */
export function wordPerson({ telegramId, name: called, username }: Person): string {
  return `${name(called)}${wordHandle(username)} (${telegramId})`;
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

/** Puts a message for somebody into the outbox. The same key again is the same message; `known` is their language where it is. */
export async function tellLater(
  deps: Pick<BotDeps, 'store'>,
  key: string,
  telegramId: number,
  word: (language: Language) => Outgoing,
  known?: Language,
): Promise<void> {
  await deps.store.outbox.keep([wordFor(deps, key, telegramId, word, known)]);
}

/** A message for somebody, in their language: for the outbox, together with what it tells of. */
export function wordFor(
  deps: Pick<BotDeps, 'store'>,
  key: string,
  telegramId: number,
  word: (language: Language) => Outgoing,
  known?: Language,
): OutgoingRow {
  return toOutgoingRow(key, telegramId, word(known ?? findLanguageOf(deps, telegramId)));
}

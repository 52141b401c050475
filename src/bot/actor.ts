// Who is talking: the member, the language, the kind of chat; looked up again for every update.
import type { MiddlewareFn } from 'grammy';

import { grantOf, ROLES, type Permission } from '../core/index.ts';
import type { BotContext, BotDeps } from './context.ts';
import { reply } from './replies.ts';
import { answerTap } from './replies.ts';
import { LANGUAGES, toLanguage, type Language } from './texts.ts';

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

/** A language that we have; undefined otherwise. */
export function findLanguage(code: string | null | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === code);
}

/** Lets through whom the table of permissions lets; says so in one sentence otherwise. Looked up at every command and button. */
export function requires(permission: Permission): MiddlewareFn<BotContext> {
  return async (ctx, next) => {
    if (ctx.actor && grantOf(ctx.actor, permission) !== 'no') return next();
    await refuse(ctx, refusalOf(ctx, permission));
  };
}

/** The key of the sentence that says who has this permission. */
export function refusalOf({ actor }: Pick<BotContext, 'actor'>, permission: Permission): string {
  if (!actor) return 'refusal-stranger';
  const least = ROLES.findLast((role) => grantOf({ ...actor, role }, permission) !== 'no');
  return `refusal-for-${least ?? 'owner'}`;
}

/** Lets hosts through only. */
export function requiresHost(): MiddlewareFn<BotContext> {
  return async (ctx, next) => (ctx.isHost ? next() : refuse(ctx, 'refusal-host'));
}

/** Lets members through only, whatever their role. */
export function requiresMember(): MiddlewareFn<BotContext> {
  return async (ctx, next) => (ctx.actor ? next() : refuse(ctx, 'refusal-stranger'));
}

async function refuse(ctx: BotContext, key: string): Promise<void> {
  if (ctx.callbackQuery) answerTap(ctx, ctx.label(key), true);
  else await reply(ctx, ctx.say(key));
}

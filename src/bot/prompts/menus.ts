// The command menus: the default ones are set at start, a chat's own when what it lists is no longer what was set last.
import { createHash } from 'node:crypto';
import type { Api } from 'grammy';
import type { BotCommand } from 'grammy/types';

import type { MemberActor } from '../../core/index.ts';
import { refusalFor } from '../actor.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import { listCommands, type Feature, type NamedCommand } from '../feature.ts';
import { LANGUAGES, type Language, type Texts } from '../texts.ts';

/** The commands somebody may use, for the menu and /help. */
export function commandsFor(
  features: readonly Feature[],
  actor: MemberActor | undefined,
  isHost: boolean,
): NamedCommand[] {
  return listCommands(features).filter(({ needs, menu = needs }) => {
    return menu !== 'nobody' && refusalFor({ actor, isHost }, menu) === undefined;
  });
}

/** Commands as Telegram's menu wants them. */
function toMenu(texts: Texts, language: Language, entries: readonly NamedCommand[]): BotCommand[] {
  return entries.map(({ name }) => ({
    command: name,
    description: texts.label(language, `command-${name.replaceAll('_', '-')}`),
  }));
}

/** Menus for whoever is not known yet, and for groups. A failure is logged: a bot without menus works. */
export async function setDefaultMenus(
  api: Api,
  { texts, log }: BotDeps,
  features: readonly Feature[],
): Promise<void> {
  const strangers = commandsFor(features, undefined, false);
  const groups = listCommands(features).filter((entry) => entry.inGroups);
  try {
    for (const language of LANGUAGES) {
      const option = language === 'en' ? {} : { language_code: language };
      await api.setMyCommands(toMenu(texts, language, strangers), {
        scope: { type: 'all_private_chats' },
        ...option,
      });
      await api.setMyCommands(toMenu(texts, language, groups), {
        scope: { type: 'all_group_chats' },
        ...option,
      });
    }
  } catch (error) {
    log.warn({ error: describeError(error) }, 'the default command menus could not be set');
  }
}

type MenuDeps = Pick<BotDeps, 'texts' | 'store' | 'log'>;

interface Owner {
  telegramId: number;
  actor: MemberActor | undefined;
  isHost: boolean;
  language: Language;
}

/**
 * A deployment may have other commands or other words for them: the menu of whoever has one follows, beside the answer.
 */
export function updateOwnMenu(api: Api, deps: MenuDeps, features: readonly Feature[], ctx: BotContext): void {
  const { from, actor, isHost, language } = ctx;
  if (!from || !ctx.isPrivate || !ctx.message) return;
  const hasOne = (deps.store.preferences.find(from.id)?.menu ?? '') !== '';
  if (hasOne) setOwnMenu(api, deps, features, { telegramId: from.id, actor, isHost, language });
}

/**
 * Sets a private chat's own menu where it is not what was set last, beside everything else: nobody waits for it. Never
 * throws.
 */
export function setOwnMenu(api: Api, deps: MenuDeps, features: readonly Feature[], owner: Owner): void {
  bringMenu(api, deps, features, owner).catch((error: unknown) =>
    deps.log.warn({ error: describeError(error) }, 'a command menu could not be set'),
  );
}

async function bringMenu(
  api: Api,
  { texts, store }: MenuDeps,
  features: readonly Feature[],
  { telegramId, actor, isHost, language }: Owner,
): Promise<void> {
  const commands = toMenu(texts, language, commandsFor(features, actor, isHost));
  const digest = createHash('sha256').update(JSON.stringify(commands)).digest('base64url').slice(0, 8);
  // The language stands first: it is also how somebody is spoken to who is not talking.
  const menu = `${language}:${actor?.role ?? 'stranger'}:${isHost ? 'host' : ''}:${digest}`;
  const kept = store.preferences.find(telegramId);
  if (kept?.menu === menu) return;
  await api.setMyCommands(commands, { scope: { type: 'chat', chat_id: telegramId } });
  // Nothing else: a choice may have come while Telegram was asked.
  await store.preferences.save({ telegramId, menu });
}

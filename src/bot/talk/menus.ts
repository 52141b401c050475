// The command menus: the default ones are set at start, a chat's own when its role or language changes.
import type { Api } from 'grammy';
import type { BotCommand } from 'grammy/types';

import { grantOf, type MemberActor } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import type { CommandEntry, Feature } from '../feature.ts';
import { LANGUAGES, type Language, type Texts } from '../texts.ts';

/** The commands somebody may use, for the menu and /help. */
export function commandsFor(
  features: readonly Feature[],
  actor: MemberActor | undefined,
  isHost: boolean,
): CommandEntry[] {
  return features
    .flatMap((feature) => feature.commands)
    .filter((entry) => {
      if (entry.for === 'everyone') return true;
      if (entry.for === 'hosts') return isHost;
      if (!actor) return false;
      return entry.for === 'members' || grantOf(actor, entry.for) !== 'no';
    });
}

/** Commands as Telegram's menu wants them. */
export function toMenu(texts: Texts, language: Language, entries: readonly CommandEntry[]): BotCommand[] {
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
  const groups = features.flatMap((feature) => feature.commands).filter((entry) => entry.inGroups);
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

/** Sets a private chat's own menu where role or language changed since it was set last. Never throws. */
export async function setOwnMenu(
  api: Api,
  { texts, keeping, log }: Pick<BotDeps, 'texts' | 'keeping' | 'log'>,
  features: readonly Feature[],
  person: { telegramId: number; actor: MemberActor | undefined; isHost: boolean; language: Language },
): Promise<void> {
  const { telegramId, actor, isHost, language } = person;
  const menu = `${language}:${actor?.role ?? 'stranger'}:${isHost ? 'host' : ''}`;
  const kept = keeping.preferences.find(telegramId);
  if (kept?.menu === menu) return;
  try {
    const entries = commandsFor(features, actor, isHost);
    await api.setMyCommands(toMenu(texts, language, entries), {
      scope: { type: 'chat', chat_id: telegramId },
    });
    // Read again: a choice may have come while Telegram was asked.
    const { language: chosen = null, mutedNotices = '' } = keeping.preferences.find(telegramId) ?? {};
    await keeping.preferences.save({ telegramId, language: chosen, mutedNotices, menu });
  } catch (error) {
    log.warn({ error: describeError(error) }, 'a command menu could not be set');
  }
}

// Notices to hosts of every account that somebody opened: who, and a button that shows it. Kept in the transaction that
// opens it.
import { InlineKeyboard } from 'grammy';
import type { User } from 'grammy/types';

import type { BotDeps } from '../context.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { toOutgoing, toOutgoingRow } from '../outgoing.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { name } from '../texts.ts';
import { findLanguageOf, toPerson, formatPerson } from '../actor.ts';

/** Looked up before, worded in the transaction: the rows for every host but whoever opened it. */
export function prepareNewAccount(
  deps: Pick<BotDeps, 'store' | 'settings' | 'texts'>,
  by: User,
): (opened: { accountId: number; name: string }) => OutgoingRow[] {
  const { texts, settings } = deps;
  const hosts = settings.hostIds
    .filter((id) => id !== by.id)
    .map((id) => ({ id, language: findLanguageOf(deps, id) }));
  const person = formatPerson(toPerson(by));
  return (opened) =>
    hosts.map(({ id, language }) => {
      const facts = { id: String(opened.accountId), account: name(opened.name), person };
      const html = texts.say(language, 'host-account-opened', facts);
      const keyboard = new InlineKeyboard().text(
        texts.label(language, 'host-button-open-card'),
        commandData(`accounts ${opened.accountId}`),
      );
      return toOutgoingRow(`opened:${opened.accountId}:${id}`, id, toOutgoing(html, keyboard));
    });
}

// /invite <role>: a link for one person, shown in the text.
import { InlineKeyboard } from 'grammy';

import type { GivenRole } from '../../core/index.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { reply } from '../replies.ts';
import { name } from '../texts.ts';
import { findGivenRole, rolesToGive } from './members.ts';

const LONGEST_COPY = 256;

export function createInviteFeature(deps: BotDeps): Feature {
  const run = async (ctx: BotContext, typed: string): Promise<unknown> => {
    const allowed = rolesToGive(actorOf(ctx));
    const role = findGivenRole(deps.texts, typed);
    if (role && allowed.includes(role)) return invite(deps, ctx, role, ctx.message?.date ?? 0);
    const keyboard = new InlineKeyboard();
    for (const each of allowed) {
      keyboard.text(capital(ctx.label(`role-${each}`)), commandData(`invite ${each}`)).row();
    }
    const key = role ? 'invite-not-admins' : typed === '' ? 'invite-choose' : 'invite-unknown-role';
    return reply(ctx, ctx.say(key), keyboard);
  };
  return { commands: { invite: { needs: 'manageStaff', run } } };
}

const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** What whoever is invited follows. */
export const joinLink = ({ me }: Pick<BotContext, 'me'>, token: string): string =>
  `https://t.me/${me.username}?start=join_${token}`;

/** A button that copies a link, where Telegram takes one so long. */
export function linkKeyboard({ label }: Pick<BotContext, 'label'>, link: string): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  return link.length <= LONGEST_COPY ? keyboard.copyText(label('invite-copy'), link) : keyboard;
}

async function invite(deps: BotDeps, ctx: BotContext, role: GivenRole, date: number): Promise<void> {
  const actor = actorOf(ctx);
  // The same update again shows the same link.
  const { token } = await deps.core.members.invite(actor, role, `${ctx.update.update_id}:${date}`);
  const link = joinLink(ctx, token);
  const account = deps.core.accounts.find(actor.accountId)?.name ?? '';
  await reply(
    ctx,
    ctx.say('invite-link', { account: name(account), role: ctx.label(`role-${role}`), link }),
    linkKeyboard(ctx, link),
  );
}

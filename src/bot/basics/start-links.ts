// Deep links of /start: an invitation, a receipt, a purchase. Each is looked at as if the person had typed it.
import { createHash } from 'node:crypto';
import { InlineKeyboard } from 'grammy';

import { grantOf } from '../../core/index.ts';
import { refusalOf, renderFor, toPerson } from '../actor.ts';
import { commandData } from '../prompts/command-buttons.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { showReceipt } from '../receipts/show-receipt.ts';
import { formatMoment } from '../moments.ts';
import { reply } from '../replies.ts';
import { name } from '../texts.ts';
import { offerPacks, parsePacks, subscribe } from '../billing/purchases.ts';

export interface StartLinks {
  /** False when the payload is none, or not ours: /start then says what it always says. */
  follow(ctx: BotContext, payload: string): Promise<boolean>;
}

/** `home` says who the person is, after a link changed it. */
export function createStartLinks(deps: BotDeps, home: (ctx: BotContext) => Promise<void>): StartLinks {
  return {
    async follow(ctx, payload) {
      const [, token] = /^join_([\w-]{1,59})$/.exec(payload) ?? [];
      if (token !== undefined) return join(deps, ctx, token, home);
      const [, packs] = /^buy_(\d{1,3})$/.exec(payload) ?? [];
      if (packs !== undefined || payload === 'subscribe') return buy(deps, ctx, packs, home);
      const [, receipt] = /^receipt_(\d{1,15})$/.exec(payload) ?? [];
      if (receipt !== undefined) return openReceipt(deps, ctx, Number(receipt), home);
      return false;
    },
  };
}

async function join(
  deps: BotDeps,
  ctx: BotContext,
  token: string,
  home: (ctx: BotContext) => Promise<void>,
): Promise<true> {
  if (!ctx.from) return true;
  const answer = await deps.core.members.join(toPerson(ctx.from), token);
  switch (answer.status) {
    case 'joined':
    case 'alreadyMemberHere': {
      ctx.actor = answer.actor;
      notifyInviter(deps, ctx, token);
      const key = answer.status === 'joined' ? 'start-joined' : 'start-already-here';
      const role = ctx.label(`role-${answer.actor.role}`);
      await reply(ctx, ctx.say(key, { account: name(answer.accountName), role }));
      await home(ctx);
      break;
    }
    case 'memberElsewhere': {
      const key = answer.mustFirst === 'leave' ? 'start-leave-first' : 'start-hand-over-first';
      const keyboard = new InlineKeyboard().text(ctx.label('start-button-members'), commandData('members'));
      await reply(ctx, ctx.say(key, { account: name(answer.accountName) }), keyboard);
      break;
    }
    case 'notYet': {
      const facts = {
        account: name(answer.accountName),
        at: formatMoment(ctx.language, answer.opensAt, 'UTC'),
      };
      await reply(ctx, ctx.say('start-not-yet', facts));
      break;
    }
    case 'expiredOrUsed':
      await reply(ctx, ctx.say('start-invitation-over'));
      break;
  }
  return true;
}

/** Once an invitation, whatever is handled again: its key is the same. */
function notifyInviter(deps: BotDeps, ctx: BotContext, token: string): void {
  const { actor, from } = ctx;
  const inviter = from && deps.core.members.findInviter(token, from.id);
  if (inviter === undefined || !actor || !from) return;
  const key = `joined:${createHash('sha256').update(token).digest('hex').slice(0, 24)}`;
  const joined = renderFor(deps, key, inviter, (language) => {
    const role = deps.texts.label(language, `role-${actor.role}`);
    const person = name(toPerson(from).name);
    return { html: deps.texts.say(language, 'members-someone-joined', { person, role }) };
  });
  ctx.turn.add(joined);
}

async function buy(
  deps: BotDeps,
  ctx: BotContext,
  packs: string | undefined,
  home: (ctx: BotContext) => Promise<void>,
): Promise<true> {
  // A stranger sees what /start says to strangers, which may open an account of their own.
  if (!ctx.actor) await home(ctx);
  if (!ctx.actor) return true;
  if (grantOf(ctx.actor, 'purchase') === 'no') await reply(ctx, ctx.say(refusalOf(ctx, 'purchase')));
  else if (packs === undefined) await subscribe(deps, ctx);
  else await offerPacks(deps, ctx, parsePacks(packs));
  return true;
}

async function openReceipt(
  deps: BotDeps,
  ctx: BotContext,
  receiptId: number,
  home: (ctx: BotContext) => Promise<void>,
): Promise<true> {
  // A stranger is told what strangers are told, and nothing of a receipt.
  if (!ctx.actor) await home(ctx);
  else await showReceipt(deps, ctx, receiptId);
  return true;
}

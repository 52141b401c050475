// /links: claim links to be sold. What each is for, how many, and what the stock keeps for them is confirmed; they come
// as a file (links-file.ts). Alone it lists the last that were made, with what can be done about each.
import { InlineKeyboard } from 'grammy';

import { DAY_MS } from '../../clock.ts';
import {
  LARGEST_ORDER_AMOUNT,
  MOST_CLAIMS,
  type ClaimIssue,
  type ClaimQuote,
  type ClaimTerms,
  type Game,
  type OrderItem,
} from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, word, type Feature } from '../feature.ts';
import { formatDay, formatMoment, zoneOf } from '../moments.ts';
import { confirming, enqueueAnswer, type Action } from '../outbox/actions.ts';
import { toOutgoing } from '../outgoing.ts';
import { formatItems } from '../redemption/draft.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { createGameQuestion } from '../stock/choose-game.ts';
import { labelStockKey, readOrder } from '../stock/code-order.ts';
import { LINKS_AGAIN, createLinksView, LINKS, REVOKE_LINKS, type LinksResult } from './links-file.ts';
import { createStuckClaims, STUCK } from './stuck.ts';

const LISTED = 5;
const REOPEN_RESTORED = 'links:restored';

/** As it was written, of whichever game. */
interface Wish {
  amount: number;
  count: number;
  reference?: string | undefined;
}

/** Without an address of its own the service has no links: the command says so, and is in no menu. */
export function createLinksFeature(deps: BotDeps): Feature {
  const needs = 'manageClaims';
  const { publicUrl } = deps.settings;
  const game = createGameQuestion<Wish>(deps, 'links:game', {
    needs,
    then: (ctx, gameId, wish) => confirm(deps, ctx, gameId, wish),
  });
  const run = async (ctx: BotContext, text: string): Promise<unknown> => {
    if (publicUrl === undefined) return reply(ctx, ctx.say('links-off'));
    if (text === '') return replyIssues(deps, ctx);
    const wish = readLinks(text, deps.core.games.managed);
    return wish ? game.ask(ctx, wish) : reply(ctx, ctx.say('links-usage'));
  };
  const stuck = createStuckClaims(deps);
  return {
    commands: { links: { needs, run, ...(publicUrl === undefined && { menu: 'nobody' }) } },
    buttons: {
      [LINKS_AGAIN]: button(needs, [word], (ctx, id) => {
        if (!deps.core.claims.find(actorOf(ctx), id)) return answerTap(ctx, ctx.label('button-old'), true);
        return enqueueAnswer(ctx, { view: LINKS, of: { id } satisfies LinksResult });
      }),
      [REVOKE_LINKS]: button(needs, [word], (ctx, id) => askToRevoke(deps, ctx, id)),
      ...issuing(deps).button,
      ...revoking(deps).button,
      [REOPEN_RESTORED]: button(needs, [], (ctx) => reopening(deps).ask(ctx, {})),
      ...reopening(deps).button,
      ...game.buttons,
      ...stuck.buttons,
    },
    questions: { ...game.questions, ...stuck.questions },
    views: { [LINKS]: createLinksView(deps) },
  };
}

/** `660 UC 100 LOT-7`: for what, how many and under which reference; undefined for anything else. */
export function readLinks(text: string, games: readonly Game[]): Wish | undefined {
  const { amount, rest } = readOrder(text, games);
  const [, written, reference] =
    /^(?:[x×*] ?)?(\d{1,4})(?: (\S{1,64}))?$/u.exec(rest.replace(/\s+/g, ' ')) ?? [];
  const count = Number(written);
  const isWithin =
    amount !== undefined &&
    amount >= 1 &&
    amount <= LARGEST_ORDER_AMOUNT &&
    count >= 1 &&
    count <= MOST_CLAIMS;
  return isWithin ? { amount, count, reference } : undefined;
}

/** What would come of it now: the question, or why none can be made. */
async function confirm(
  deps: BotDeps,
  ctx: BotContext,
  gameId: string,
  { amount, count, reference }: Wish,
): Promise<unknown> {
  const isDenomination = deps.core.games.find(gameId)?.denominations.includes(amount);
  const what = isDenomination ? { denomination: amount } : { amount };
  const terms: ClaimTerms = { gameId, count, reference, ...what };
  const quote = deps.core.claims.quote(actorOf(ctx), terms);
  if (quote.status !== 'quoted') return reply(ctx, formatRefused(deps, ctx, terms, quote));
  return issuing(deps).ask(ctx, terms);
}

const issuing = (deps: BotDeps) =>
  confirming<ClaimTerms>(deps, 'links-issue', {
    needs: 'manageClaims',
    asks: (ctx, terms) => ({
      html: formatAsked(deps, ctx, terms),
      label: ctx.label('links-button-issue', { count: terms.count }),
      style: 'success',
    }),
    does: (ctx, action) => issue(deps, ctx, action),
  });

function formatAsked(deps: BotDeps, ctx: BotContext, terms: ClaimTerms): string {
  const quote = deps.core.claims.quote(actorOf(ctx), terms);
  if (quote.status !== 'quoted') return formatRefused(deps, ctx, terms, quote);
  const game = deps.core.games.find(terms.gameId);
  const { items, left, expiresAt } = quote;
  const keptOf = items.map(({ denomination, count }) => ({ denomination, count: count * terms.count }));
  return [
    ctx.say('links-confirm', { ...describeTerms(deps, ctx, terms), count: terms.count }),
    ...(terms.amount === undefined
      ? []
      : [ctx.say('links-confirm-items', { items: formatItems(items, game) })]),
    ctx.say('links-confirm-kept', {
      kept: formatItems(keptOf, game),
      left: countEach(ctx, left, game),
      until: formatDay(ctx.language, expiresAt, zoneOf(deps, ctx.actor)),
    }),
    ...(terms.reference === undefined ? [] : [ctx.say('links-reference', { reference: terms.reference })]),
  ].join('\n');
}

/** `3 of 60 UC, 0 of 325 UC`. */
const countEach = (ctx: BotContext, items: readonly OrderItem[], game: Game | undefined): string =>
  items
    .map(({ denomination, count }) => {
      const stockKey = game ? labelStockKey(ctx, game, denomination) : String(denomination);
      return ctx.label('links-count-of', { count: String(count), stockKey });
    })
    .join(', ');

/** What each is for, and of which game. */
function describeTerms(
  { core }: Pick<BotDeps, 'core'>,
  ctx: BotContext,
  { gameId, denomination, amount }: Pick<ClaimTerms, 'gameId' | 'denomination' | 'amount'>,
) {
  const game = core.games.find(gameId);
  const each = denomination ?? amount ?? 0;
  return { game: gameId, what: game ? labelStockKey(ctx, game, each) : String(each) };
}

function formatRefused(
  deps: BotDeps,
  ctx: BotContext,
  terms: ClaimTerms,
  refused: Exclude<ClaimQuote, { status: 'quoted' }>,
): string {
  const facts = { ...describeTerms(deps, ctx, terms), count: terms.count };
  if (refused.status === 'notEnoughStock') {
    const missing = countEach(ctx, refused.missing, deps.core.games.find(terms.gameId));
    return ctx.say('links-short', { ...facts, missing });
  }
  const nearest = [refused.below, refused.above].filter((sum) => sum !== undefined).join(', ');
  return ctx.say('links-no-composition', { ...facts, nearest: nearest === '' ? 'none' : nearest });
}

/** Begun again after an end of the process it makes the rest: the confirmation's id is the key of all of them. */
async function issue(
  deps: BotDeps,
  ctx: BotContext,
  { id: key, payload, confirmation, result }: Action<ClaimTerms>,
): Promise<void> {
  const idempotencyKey = { scope: 'chat', key } as const;
  const answer = await deps.core.claims.issue(actorOf(ctx), { ...payload, idempotencyKey });
  if (answer.status !== 'issued') return editHtml(ctx, formatRefused(deps, ctx, payload, answer));
  const of: LinksResult = { id: answer.claims[0]?.id ?? '', isFirst: true };
  await ctx.turn.write({ confirmation, messages: [result({ view: LINKS, of })] });
}

/** The last that were made, whoever made them. */
async function replyIssues(deps: BotDeps, ctx: BotContext): Promise<void> {
  const actor = actorOf(ctx);
  const issues = await deps.core.claims.listIssues(actor, LISTED);
  const keyboard = new InlineKeyboard();
  const blocks = issues.map((each, index) => {
    const n = String(index + 1);
    const { id, createdAt } = each.first;
    if (each.unused > 0) {
      if (deps.clock.now() - createdAt < DAY_MS)
        keyboard.text(ctx.label('links-button-again', { n }), `${LINKS_AGAIN}:${id}`);
      keyboard.text(ctx.label('links-button-revoke-of', { n }), `${REVOKE_LINKS}:${id}`).row();
    }
    return [`${n}. ${formatIssue(deps, ctx, each)}`, formatCounts(ctx, each)].join('\n');
  });
  if (deps.core.claims.list(actor, { state: 'stuck' }).length > 0)
    keyboard.text(ctx.label('links-button-stuck'), STUCK).row();
  if (deps.core.claims.hasRestored(actor)) keyboard.text(ctx.label('links-button-restored'), REOPEN_RESTORED);
  const html = [ctx.say('links-title'), ...blocks, ctx.say('links-usage-again')].join('\n\n');
  await reply(ctx, issues.length === 0 ? ctx.say('links-usage') : html, keyboard);
}

function formatIssue(deps: BotDeps, ctx: BotContext, issue: ClaimIssue): string {
  const { gameId, amount, reference = 'none', createdAt, expiresAt } = issue.first;
  const zone = zoneOf(deps, ctx.actor);
  return ctx.say('links-one', {
    ...describeTerms(deps, ctx, { gameId, amount }),
    ...{ count: countAll(issue), reference },
    made: formatMoment(ctx.language, createdAt, zone),
    until: formatDay(ctx.language, expiresAt, zone),
  });
}

const countAll = ({ open, used, stuck, revoked, expired }: ClaimIssue): number =>
  open + used + stuck + revoked + expired;

/** Without the states that none of them is in. */
const formatCounts = (ctx: BotContext, issue: ClaimIssue): string =>
  (['open', 'used', 'stuck', 'revoked', 'expired'] as const)
    .filter((state) => issue[state] > 0)
    .map((state) => ctx.say(`links-count-${state}`, { count: String(issue[state]) }))
    .join(' · ');

interface Revocation {
  id: string;
}

const revoking = (deps: BotDeps) =>
  confirming<Revocation>(deps, 'links-revoke', {
    needs: 'manageClaims',
    asks(ctx, { id }) {
      const found = deps.core.claims.findIssue(actorOf(ctx), id);
      const count = found?.unused ?? 0;
      const html = found
        ? [formatIssue(deps, ctx, found), ctx.say('links-revoke', { count })].join('\n\n')
        : ctx.say('button-old');
      return { html, label: ctx.label('links-button-revoke-count', { count }), style: 'danger' };
    },
    async does(ctx, { payload: { id }, ends, result }) {
      const inTransaction = ends((issue: ClaimIssue) => {
        const used = countAll(issue) - issue.revoked - issue.expired;
        return [result(toOutgoing(ctx.say('links-revoked', { count: issue.revoked, used })))];
      });
      await deps.core.claims.revokeUnused(actorOf(ctx), id, inTransaction);
    },
  });

function askToRevoke(deps: BotDeps, ctx: BotContext, id: string): unknown {
  const issue = deps.core.claims.findIssue(actorOf(ctx), id);
  if (!issue) return answerTap(ctx, ctx.label('button-old'), true);
  if (issue.unused === 0) return answerTap(ctx, ctx.label('links-nothing-unused'), true);
  return revoking(deps).ask(ctx, { id });
}

/** Those that were open in a backup that was put in place: again after an interruption it opens the rest. */
const reopening = (deps: BotDeps) =>
  confirming<object>(deps, 'links-reopen', {
    needs: 'manageClaims',
    asks: (ctx) => ({ html: ctx.say('links-restored-ask'), label: ctx.label('links-button-open-all') }),
    async does(ctx, { confirmation, result }) {
      const count = await deps.core.claims.reopenRestored(actorOf(ctx));
      const messages = [result(toOutgoing(ctx.say('links-restored', { count })))];
      await ctx.turn.write({ confirmation, messages });
    },
  });

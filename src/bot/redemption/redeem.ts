// /redeem, the button that is the order, and what may follow: again, another denomination or code, another player.
// Pressing Redeem begins and returns; watcher.ts shows how it goes on.
import { Composer, InlineKeyboard } from 'grammy';

import { isPlayerId, type Redemption } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { commandData } from '../talk/command-buttons.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { createRedeemConversation, REDEEM, type RedeemStart } from './redeem-talk.ts';
import { enter } from '../talk/entering.ts';
import { isInterrupted, keyOf } from '../errors.ts';
import type { Feature } from '../feature.ts';
import {
  askToRedeem,
  findGamesFor,
  keyOfLookUp,
  parsePlayerId,
  parseWanted,
  REDEEM_NOW,
  type Player,
  type RedeemOrder,
} from './order.ts';
import { carryOut } from '../delivery/deeds.ts';
import type { Progress } from '../delivery/progress.ts';
import { createRedemptionWatcher, type RedemptionWatcher } from './watcher.ts';
import { createRedemptionView, REDEMPTION } from './result.ts';
import { findReceiptView } from '../receipts/showing.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { isSubscriptionKey, tellQuotaUsed, tellSubscriptionNeeded } from '../quota/unpaid.ts';

export interface RedeemTools {
  progress: Progress;
  wake(chatId: number): void;
}

export function createRedeem(deps: BotDeps, tools: RedeemTools): Feature {
  const watcher = createRedemptionWatcher(deps, tools);
  const handlers = new Composer<BotContext>();
  const mayRedeem = requires('redeem');

  handlers.command('redeem', mayRedeem, (ctx) => redeemCommand(deps, ctx, ctx.match.trim()));
  handlers.callbackQuery(new RegExp(`^${REDEEM_NOW}:`), mayRedeem, (ctx) => redeemNow(deps, watcher, ctx));
  handlers.callbackQuery(/^redeem:(again|change|player):(\d{1,15})$/, mayRedeem, (ctx) =>
    repeat(deps, ctx, ctx.match[1] as Repetition, Number(ctx.match[2])),
  );

  return {
    commands: [{ name: 'redeem', for: 'redeem' }],
    handlers,
    conversations: [createRedeemConversation(deps)],
    background: [watcher],
    views: { [REDEMPTION]: createRedemptionView(deps) },
  };
}

/** `/redeem`, `/redeem 5170925570`, `/redeem 5170925570 60`, `/redeem 5170925570 CODE`. */
async function redeemCommand(deps: BotDeps, ctx: BotContext, text: string): Promise<void> {
  const [first = '', ...rest] = text.split(/\s+/);
  if (first === '') return enter(ctx, REDEEM, {} satisfies RedeemStart);
  const playerId = rest.length === 0 ? parsePlayerId(first) : first;
  if (playerId === undefined || !isPlayerId(playerId)) {
    await reply(ctx, ctx.say('redeem-usage'));
    return;
  }
  const wanted = rest.join(' ');
  if (wanted === '') return enter(ctx, REDEEM, { playerId } satisfies RedeemStart);
  const [game, another] = findGamesFor(deps.core.games, wanted);
  if (!game || another) return enter(ctx, REDEEM, { playerId, wanted } satisfies RedeemStart);
  const parsed = parseWanted(wanted, game);
  const isThere =
    parsed &&
    ('code' in parsed || hasStock(deps, ctx, { gameId: game.id, denomination: parsed.denomination }));
  // What does not fit, or is not there, is asked for step by step.
  if (!parsed || !isThere)
    return enter(ctx, REDEEM, { gameId: game.id, playerId, wanted } satisfies RedeemStart);

  const asked = { gameId: game.id, playerId };
  const found = await deps.core.findCharacter(actorOf(ctx), asked, keyOfLookUp(ctx, playerId));
  switch (found.status) {
    case 'found':
      return askToRedeem(deps, ctx, { gameId: game.id, player: { playerId, name: found.name }, ...parsed });
    case 'notFound':
      await reply(ctx, ctx.say('redeem-player-unknown'), otherPlayer(ctx));
      return;
    case 'unreachable':
      await reply(ctx, ctx.say('redeem-unreachable'), otherPlayer(ctx));
      return;
    case 'quotaExceeded':
      return tellQuotaUsed(ctx, found.retryAfterSeconds);
    case 'tooManyRefusals':
      await reply(ctx, ctx.say('redeem-refused-too-often', { seconds: found.retryAfterSeconds }));
  }
}

function otherPlayer(ctx: BotContext): InlineKeyboard {
  return new InlineKeyboard().text(ctx.label('button-other-player'), commandData('redeem'));
}

function hasStock(
  { core }: BotDeps,
  ctx: BotContext,
  { gameId, denomination }: { gameId: string; denomination: number },
): boolean {
  return (core.codes.countAvailable(actorOf(ctx), gameId).get(denomination) ?? 0) > 0;
}

/** The order. Begun under the draft's id and watched from then on, whatever is delivered again or ends in between. */
function redeemNow(deps: BotDeps, watcher: RedemptionWatcher, ctx: BotContext): Promise<unknown> {
  return carryOut<RedeemOrder>(deps, ctx, REDEEM_NOW, async ({ id, payload, target, draft, isDone }) => {
    if (isDone) return;
    const { player, gameId, ...wanted } = payload;
    const { telegramId } = actorOf(ctx);
    const watch = { ...target, telegramId, language: ctx.language, deed: id };
    try {
      const begun = await deps.core.beginRedemption(actorOf(ctx), {
        gameId,
        playerId: player.playerId,
        playerName: player.name,
        ...wanted,
        idempotencyKey: { scope: 'chat', key: id },
        alongside: deps.keeping.alongside(({ redemptionId }) => ({
          draft,
          watch: { ...watch, redemptionId },
        })),
      });
      if (begun.status === 'quotaExceeded')
        return await tellQuotaUsed(ctx, begun.retryAfterSeconds, target.messageId);
      if (begun.status === 'tooManyRefusals')
        return await editHtml(ctx, ctx.say('redeem-refused-too-often', { seconds: begun.retryAfterSeconds }));
      watcher.begin({ ...watch, redemptionId: begun.redemptionId });
    } catch (error) {
      await refuse(ctx, error);
    }
  });
}

/** Nothing was begun: says why. What was interrupted waits in the inbox, and is carried out later. */
async function refuse(ctx: BotContext, error: unknown): Promise<void> {
  const key = keyOf(error);
  if (key === undefined || isInterrupted(error)) throw error;
  if (isSubscriptionKey(key))
    return tellSubscriptionNeeded(ctx, key, ctx.callbackQuery?.message?.message_id);
  await editHtml(ctx, ctx.say(key));
}

type Repetition = 'again' | 'change' | 'player';

/** From the message of an earlier redemption to the next one: at once to the last confirmation where all is known. */
async function repeat(deps: BotDeps, ctx: BotContext, repetition: Repetition, id: number): Promise<void> {
  const view = findReceiptView(deps.core, actorOf(ctx), id);
  if (!view?.game) return answerTap(ctx, ctx.label('receipt-unknown', { id: String(id) }), true);
  await answerTap(ctx);
  const { redemption, facts } = view;
  const { gameId, denomination } = redemption;
  const wanted = facts.code === 'untouched' ? redemption.code : denomination && String(denomination);
  if (repetition === 'player') {
    return enter(ctx, REDEEM, { gameId, ...(wanted && { wanted }) } satisfies RedeemStart);
  }
  const known = { gameId, direct: redemption.mode === 'direct', ...toKnownPlayer(redemption) };
  if (repetition === 'change' || !wanted) return enter(ctx, REDEEM, known satisfies RedeemStart);
  const order = toOrder(deps, ctx, view.redemption, wanted);
  if (!order) return enter(ctx, REDEEM, { ...known, wanted } satisfies RedeemStart);
  await askToRedeem(deps, ctx, order);
}

/** The whole order, where the player was confirmed by name and the stock has it. */
function toOrder(
  deps: BotDeps,
  ctx: BotContext,
  { gameId, playerId, playerName, mode, denomination }: Redemption,
  wanted: string,
): RedeemOrder | undefined {
  if (playerName === undefined) return undefined;
  const player: Player = { playerId, name: playerName };
  if (mode === 'direct') return { gameId, player, code: wanted };
  if (denomination === undefined || !hasStock(deps, ctx, { gameId, denomination })) return undefined;
  return { gameId, player, denomination };
}

function toKnownPlayer({ playerId, playerName }: Redemption): Pick<RedeemStart, 'player' | 'playerId'> {
  return playerName === undefined ? { playerId } : { player: { playerId, name: playerName } };
}

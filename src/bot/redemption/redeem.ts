// /redeem, the screens of an order with the button that is the order, and what may follow its receipt: again, another
// denomination or code, another player.
import { isPlayerId, readPlayerId, type Redemption } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, wholeNumber, word, type Feature } from '../feature.ts';
import { findReceiptView } from '../receipts/show-receipt.ts';
import { answerTap, reply } from '../replies.ts';
import { advanceDraft, choose, hear } from './advance.ts';
import {
  fromNamed,
  NO_PLAYER,
  parsePlayerId,
  parseWanted,
  preferGame,
  readForm,
  withItems,
  withWanted,
  findGamesFor,
  type Draft,
} from './draft.ts';
import { createRedemptionView, REDEMPTION } from './order-messages.ts';
import { leftOf } from './order-words.ts';
import { press } from './press.ts';
import { continueOrders } from './several.ts';
import { ORDER, type OrderScreen } from './screens.ts';

export function createRedeem(deps: BotDeps): Feature {
  const needs = 'redeem';
  const repeats = (how: Repetition) =>
    button(needs, [wholeNumber()], (ctx, id) => repeat(deps, ctx, how, id));
  return {
    commands: { redeem: { needs, run: (ctx, text) => redeemCommand(deps, ctx, text) } },
    buttons: {
      [ORDER]: button(needs, [word, word], (ctx, id, choice) =>
        choice === 'ok' ? press(deps, ctx, id) : choose(deps, ctx, id, choice),
      ),
      'redeem:again': repeats('again'),
      'redeem:change': repeats('change'),
      'redeem:player': repeats('player'),
    },
    questions: { [ORDER]: { needs, hear: (ctx, id, text) => hear(deps, ctx, id, text) } },
    formatCancelled({ action, payload }) {
      if (action !== ORDER) return undefined;
      const { asks } = JSON.parse(payload) as OrderScreen;
      return asks === 'what' || asks === 'order' ? undefined : { key: 'redeem-cancelled' };
    },
    views: { [REDEMPTION]: createRedemptionView(deps) },
  };
}

/** `/redeem`, `/redeem 5170925570`, `/redeem 5170925570 60`, `/redeem 5170925570 CODE`. */
async function redeemCommand(deps: BotDeps, ctx: BotContext, text: string): Promise<void> {
  const [first = '', ...rest] = text.split(/\s+/);
  if (first === '') return advanceDraft(deps, ctx, { lines: NO_PLAYER });
  const playerId = rest.length === 0 ? parsePlayerId(first) : readPlayerId(first);
  const wanted = rest.join(' ');
  if (playerId !== undefined) return redeemFor(deps, ctx, playerId, wanted);
  const named = deps.core.findNamed(actorOf(ctx), text);
  if (named) await advanceDraft(deps, ctx, fromNamed(named));
  else await reply(ctx, ctx.say('redeem-usage'));
}

function redeemFor(deps: BotDeps, ctx: BotContext, playerId: string, wanted: string): Promise<void> {
  const draft: Draft = { lines: [{ playerId, items: [] }] };
  const { games } = deps.core;
  const game = preferGame(deps, ctx, findGamesFor(games, wanted));
  if (wanted === '' || !game) return advanceDraft(deps, ctx, draft);
  const read = parseWanted(wanted, game);
  if (read) return advanceDraft(deps, ctx, withWanted(draft, read));
  const form = readForm(`${playerId} ${wanted}`, games);
  if (form && (form.items.length > 0 || form.amount !== undefined))
    return advanceDraft(deps, ctx, { lines: [form] });
  const hint = ctx.say('redeem-code-form', { game: game.id });
  return advanceDraft(deps, ctx, { ...draft, gameId: game.id, isGuessed: games.all.length > 1 }, { hint });
}

type Repetition = 'again' | 'change' | 'player';

/** From the message of an earlier redemption to the next one: at once to the last confirmation where all is known. */
async function repeat(deps: BotDeps, ctx: BotContext, repetition: Repetition, id: number): Promise<void> {
  const view = findReceiptView(deps.core, actorOf(ctx), id);
  if (!view?.game) return answerTap(ctx, ctx.label('receipt-unknown', { id: String(id) }), true);
  answerTap(ctx);
  const { redemption, facts } = view;
  const order = repetition === 'change' ? undefined : findStopped(deps, ctx, redemption);
  if (order && repetition === 'again') return continueOrders(deps, ctx, [order]);
  if (order) {
    const rest = { orders: [{ id: order.id }], isResumed: false };
    const { items } = leftOf(order);
    return advanceDraft(deps, ctx, { gameId: redemption.gameId, lines: [{ items }], rest });
  }
  const code = facts.code === 'untouched' ? redemption.code : null;
  await advanceDraft(deps, ctx, toDraft(redemption, repetition, code));
}

/** Nobody, where the player was forgotten. */
function toDraft(
  { gameId, denomination, mode, playerId, playerName: name }: Redemption,
  repetition: Repetition,
  code: string | null,
): Draft {
  const isKnown = repetition !== 'player' && isPlayerId(playerId);
  const draft: Draft = {
    gameId,
    lines: [{ items: [], ...(isKnown && { playerId, name: name ?? undefined }) }],
    ...(isKnown && name !== null && { isSure: true }),
    ...(repetition !== 'player' && { isDirect: mode === 'direct' }),
  };
  if (repetition === 'change') return draft;
  if (code !== null) return { ...draft, code };
  return denomination === null ? draft : withItems(draft, [{ denomination, count: 1 }]);
}

/** What is missing of an order that has ended goes on once: all of it, for the same player or for another. */
function findStopped({ core }: BotDeps, ctx: BotContext, { id, state, denomination, playerId }: Redemption) {
  if (state !== 'failed' || denomination === null || !isPlayerId(playerId)) return undefined;
  const order = core.presses.findOfRedemption(actorOf(ctx), id);
  return order?.missing ? order : undefined;
}

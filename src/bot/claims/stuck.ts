// Claim links that wait for the account, under their notices and from /links: opened once more, or redeemed for a player
// whose ID somebody of the account sends and whose name they confirm.
import { countCodes, type ClaimRecord, type Press } from '../../core/index.ts';
import { replyNotBegun } from '../billing/payment-required.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, word, type Feature } from '../feature.ts';
import { confirming, type Action } from '../outbox/actions.ts';
import { describeStuckClaim, OPEN_CLAIM, SET_PLAYER, stuckClaimKeyboard } from '../outbox/notices.ts';
import { askInWords, leaveQuestion } from '../prompts/ask.ts';
import { keyOfLookUp, parsePlayerId } from '../redemption/draft.ts';
import { toOrderRow } from '../redemption/order-messages.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { name } from '../texts.ts';

/** The button of /links that shows them. */
export const STUCK = 'links:stuck';
/** As many as are shown at once; each is a message. */
const SHOWN = 5;

/** `playerName`: as it was looked up; left out where the platform tells none. */
interface PlayerOrder {
  claimId: string;
  playerId: string;
  playerName?: string;
  /** It was asked before, and nobody could tell whether a lost time has used it. */
  isUnproven?: true;
}

export function createStuckClaims(deps: BotDeps): Required<Pick<Feature, 'buttons' | 'questions'>> {
  const needs = 'manageClaims';
  /** undefined: a button of nothing, which is said. */
  const find = (ctx: BotContext, id: string): ClaimRecord | undefined => {
    const claim = deps.core.claims.find(actorOf(ctx), id);
    if (!claim) answerTap(ctx, ctx.label('button-old'), true);
    return claim;
  };
  return {
    buttons: {
      [STUCK]: button(needs, [], (ctx) => showStuck(deps, ctx)),
      [OPEN_CLAIM]: button(needs, [word], async (ctx, id) => {
        if (!find(ctx, id)) return;
        await deps.core.claims.reopen(actorOf(ctx), id);
        const claim = find(ctx, id);
        if (claim) await editHtml(ctx, formatStands(deps, ctx, claim));
      }),
      [SET_PLAYER]: button(needs, [word], async (ctx, id) => {
        const claim = find(ctx, id);
        if (!claim) return;
        if (!takesPlayer(deps, claim)) return editHtml(ctx, formatStands(deps, ctx, claim));
        await askInWords(ctx, ctx.say('links-player-ask', describe(deps, ctx, claim)), SET_PLAYER, id);
      }),
      ...setting(deps).button,
    },
    questions: {
      [SET_PLAYER]: { needs, hear: (ctx, id, text) => hearPlayer(deps, ctx, id, text) },
    },
  };
}

const describe = ({ core, texts }: BotDeps, ctx: BotContext, claim: ClaimRecord) => {
  const facts = describeStuckClaim({ games: core.games, texts, language: ctx.language }, claim);
  const { stockKey, reference } = facts;
  return { ...facts, what: reference === 'none' ? stockKey : `${stockKey}, ${reference}` };
};

/** The newest of them, each as its notice is. */
async function showStuck(deps: BotDeps, ctx: BotContext): Promise<void> {
  const stuck = deps.core.claims.list(actorOf(ctx), { state: 'stuck' });
  if (stuck.length === 0) return answerTap(ctx, ctx.label('links-none-stuck'), true);
  for (const claim of stuck.slice(0, SHOWN))
    await reply(
      ctx,
      ctx.say('notice-claim-stuck', describe(deps, ctx, claim)),
      stuckClaimKeyboard(ctx.label, claim),
    );
}

const takesPlayer = ({ clock }: Pick<BotDeps, 'clock'>, { state, expiresAt }: ClaimRecord): boolean =>
  (state === 'stuck' || state === 'open') && expiresAt > clock.now();

/** What has become of it: `partly`: something of it is redeemed, and the rest is its order's. */
function formatStands(deps: BotDeps, ctx: BotContext, claim: ClaimRecord): string {
  const isPartly = claim.state === 'stuck' && takesPlayer(deps, claim);
  const stands = isPartly ? 'partly' : takesPlayer(deps, claim) || claim.orderId ? claim.state : 'over';
  return ctx.say('links-stands', { ...describe(deps, ctx, claim), stands });
}

/** The ID: looked up, and its name is confirmed; where the platform does not answer it is to be sent once more. */
async function hearPlayer(
  deps: BotDeps,
  ctx: BotContext,
  claimId: string,
  text: string,
): Promise<boolean | string> {
  const claim = deps.core.claims.find(actorOf(ctx), claimId);
  const playerId = parsePlayerId(text);
  if (playerId === undefined) return ctx.say('redeem-player-form');
  if (!claim) return false;
  if (!takesPlayer(deps, claim)) {
    await reply(ctx, formatStands(deps, ctx, claim));
    return true;
  }
  const asked = { gameId: claim.gameId, playerId };
  const told = await deps.core.findCharacter(actorOf(ctx), asked, keyOfLookUp(ctx, playerId));
  switch (told.status) {
    case 'notFound':
      return ctx.say('redeem-player-unknown');
    case 'unreachable':
      return ctx.say('redeem-unreachable');
    case 'quotaExceeded':
    case 'tooManyBadRequests':
      await replyNotBegun(ctx, told);
      return true;
    case 'found':
    case 'notOffered': {
      const named = told.status === 'found' && { playerName: told.name };
      await setting(deps).ask(ctx, { claimId, playerId, ...named });
      return true;
    }
  }
}

const setting = (deps: BotDeps) =>
  confirming<PlayerOrder>(deps, 'links-player', {
    needs: 'manageClaims',
    asks(ctx, { claimId, playerId, playerName = '', isUnproven = false }) {
      const claim = deps.core.claims.find(actorOf(ctx), claimId);
      const facts = claim ? describe(deps, ctx, claim) : {};
      const isNamed = playerName === '' ? 'no' : 'yes';
      const question = { ...facts, name: name(playerName), player: playerId, isNamed };
      const cost = { count: claim ? countCodes(claim.items) : 0 };
      const html = [
        ...(isUnproven ? [ctx.say('links-player-unproven')] : []),
        ctx.say('links-player-confirm', question),
        ctx.say('redeem-confirm-cost', cost),
      ].join('\n');
      return {
        html,
        label: ctx.label('button-redeem'),
        style: 'success',
      };
    },
    async does(ctx, action) {
      await leaveQuestion(ctx);
      await setPlayer(deps, ctx, action);
    },
  });

/** Its order stands in place of the question, and goes on there to its end. */
async function setPlayer(
  deps: BotDeps,
  ctx: BotContext,
  { id, payload, target, ends }: Action<PlayerOrder>,
): Promise<void> {
  const { claimId, playerId, playerName } = payload;
  const actor = actorOf(ctx);
  const shown = { ...target, telegramId: actor.telegramId, language: ctx.language };
  const inTransaction = ends(({ press }: { press: Press }) => [toOrderRow(id, press, shown)]);
  const answer = await deps.core.claims.setPlayer(actor, claimId, { playerId, playerName }, inTransaction);
  const claim = deps.core.claims.find(actor, claimId);
  if (!answer || !claim) return editHtml(ctx, ctx.say('button-old'));
  switch (answer.status) {
    case 'begun':
      return;
    case 'inUse':
      return editHtml(ctx, formatStands(deps, ctx, claim));
    case 'shortage':
      return editHtml(
        ctx,
        ctx.say('links-player-short', describe(deps, ctx, claim)),
        stuckClaimKeyboard(ctx.label, claim),
      );
    case 'unproven':
      return void (await setting(deps).ask(ctx, { ...payload, isUnproven: true }, 'edit'));
  }
}

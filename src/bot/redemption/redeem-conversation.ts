// Asking for a redemption step by step: game → player → what. It ends with the last confirmation; nothing is redeemed
// here.
import { readPlainMessage, type CharacterAnswer, type Game } from '../../core/index.ts';
import type { BotDeps, InnerContext } from '../context.ts';
import { showCard } from './card.ts';
import { askToRedeem } from './confirm-order.ts';
import {
  findGamesFor,
  keyOfLookUp,
  parsePlayerId,
  parseWanted,
  readForm,
  REDEEM,
  type OrderPlayer,
  type RedeemStart,
  type Wanted,
  type Wish,
} from './order.ts';
import { isGame } from '../prompts/games.ts';
import { name } from '../texts.ts';
import { isSubscriptionKey, replyNotBegun, replySubscriptionNeeded } from '../billing/payment-required.ts';
import type { Answer, Choice, ConversationEntry, Failed, Prompts } from '../conversation.ts';
import { buttonId, isFailed, MOST_CHOICES } from '../prompts/prompts.ts';

export function createRedeemConversation(deps: BotDeps): ConversationEntry {
  return {
    name: REDEEM,
    async run(prompts: Prompts, ctx: InnerContext, given: RedeemStart) {
      const wish = given.wish ?? { items: [] };
      await collect({ deps, prompts, ctx, screen: undefined, isNamedLater: false, wish }, given);
    },
  };
}

/** `screen` is the message whose buttons were pressed last: it is changed; after a typed answer a new one is sent. */
interface Scene {
  deps: BotDeps;
  prompts: Prompts;
  ctx: InnerContext;
  screen: number | undefined;
  /** What follows names the player, so that the name is not asked about by itself. */
  isNamedLater: boolean;
  /** What was written beside the player. */
  wish: Wish;
  /** Whose name was asked about last. */
  named?: OrderPlayer;
  /** Sent where the name was asked about: it was confirmed by that. */
  code?: string;
}

type Rows = readonly (readonly Choice[])[];

async function collect(scene: Scene, given: RedeemStart): Promise<void> {
  const game = await chooseGame(scene, given);
  if (!game) return;
  const known = given.wanted === undefined ? undefined : parseWanted(given.wanted, game);
  const hasCode = known !== undefined && 'code' in known;
  const hasCard = game.database && !given.direct && !hasCode;
  scene.isNamedLater = hasCard || hasCode;
  const player = given.player ?? (await choosePlayer(scene, game, given.playerId));
  if (!player) return;
  const isMeaningless = given.wanted !== undefined && !known;
  const sent = scene.code === undefined ? known : { code: scene.code };
  const wanted = sent ?? (hasCard ? undefined : await askForCode(scene, game, isMeaningless));
  if (!wanted && !hasCard) return;
  const { deps, screen } = scene;
  const order = { gameId: game.id, player };
  const asked = await scene.prompts.tryCore(async (outer) => {
    if (wanted && 'code' in wanted) {
      await askToRedeem(deps, outer, { ...order, code: wanted.code }, { messageId: screen });
    } else {
      const { rest } = given;
      const said = rest && scene.wish.items.length === 0 && given.wish ? given.wish : scene.wish;
      const wish = wanted ? { items: [{ denomination: wanted.denomination, count: 1 }] } : said;
      const hint = isMeaningless ? outer.say('redeem-code-form', { game: game.id }) : undefined;
      await showCard(deps, outer, { ...wish, ...order, rest }, { messageId: screen, hint });
    }
    return true;
  });
  if (isFailed(asked)) await fail(scene, asked);
}

async function chooseGame(scene: Scene, { gameId, wanted }: RedeemStart): Promise<Game | undefined> {
  const { deps, ctx } = scene;
  const { games } = deps.core;
  const ids = await scene.prompts.tryCore(() => findGamesFor(games, wanted).map((game) => game.id));
  if (isFailed(ids)) return fail(scene, ids);
  let chosen = gameId ?? (ids.length === 1 ? ids[0] : undefined);
  while (chosen === undefined) {
    await show(scene, ctx.say('redeem-game'), [
      ...ids
        .slice(0, MOST_CHOICES)
        .map((id) => [{ label: ctx.label('game-name', { game: id }), value: `game-${buttonId(id)}` }]),
      cancelRow(scene),
    ]);
    const answer = await hear(scene);
    if (isCancel(answer)) return cancel(scene);
    chosen = ids.find((id) =>
      answer.kind === 'choice'
        ? answer.value === `game-${buttonId(id)}`
        : isGame(ctx, id, answer.message.text),
    );
    if (chosen === undefined && answer.kind === 'message') await leaveForAnother(scene, answer.message.text);
  }
  return games.find(chosen) ?? fail(scene, { failed: 'error-input' });
}

/** Where choosing a player stands: over, done, with an ID to look up, or to be asked (again, with a hint). */
type PlayerStep = 'ended' | { confirmed: OrderPlayer } | { typed: string } | { hint: string };

async function choosePlayer(scene: Scene, game: Game, given?: string): Promise<OrderPlayer | undefined> {
  let step: PlayerStep = given === undefined ? { hint: '' } : { typed: given };
  while (step !== 'ended' && !('confirmed' in step)) {
    step =
      'typed' in step ? await lookUp(scene, game, step.typed) : await askForPlayer(scene, game, step.hint);
  }
  return step === 'ended' ? undefined : step.confirmed;
}

async function askForPlayer(scene: Scene, game: Game, hint: string): Promise<PlayerStep> {
  const { deps, prompts, ctx } = scene;
  const known = await prompts.tryCore((outer) =>
    outer.actor ? deps.core.lastPlayers(outer.actor, game.id) : { failed: 'refusal-stranger' },
  );
  if (isFailed(known)) return (await fail(scene, known)) ?? 'ended';
  const rows = known.map((player) => [
    { label: `${name(player.name)} · ${player.playerId}`, value: `known-${buttonId(player.playerId)}` },
  ]);
  const ask = known.length === 0 ? ctx.say('redeem-player') : ctx.say('redeem-player-or-known');
  await show(scene, hint + ask, [...rows, cancelRow(scene)]);
  const answer = await hear(scene);
  if (isCancel(answer)) return (await cancel(scene)) ?? 'ended';
  if (answer.kind === 'message') return readPlayer(scene, answer.message.text);
  const picked = known.find(({ playerId }) => answer.value === `known-${buttonId(playerId)}`);
  return picked ? takePlayer(scene, game, picked) : { hint: '' };
}

function readPlayer(scene: Scene, text: string | undefined): PlayerStep {
  const { ctx, deps } = scene;
  const form = readForm(text ?? '', deps.core.games);
  const { playerId, ...wish } = form ?? { items: [] };
  scene.wish = wish;
  if (playerId !== undefined) return { typed: playerId };
  const typed = parsePlayerId(text ?? '');
  return typed === undefined ? { hint: `${ctx.say('redeem-player-form')}\n\n` } : { typed };
}

/** Asks the platform for the name, again when it cannot be reached and the person wants to. */
async function lookUp(scene: Scene, game: Game, playerId: string): Promise<PlayerStep> {
  const { deps, prompts, ctx } = scene;
  const found = await prompts.tryCore<CharacterAnswer | Failed>((outer) =>
    outer.actor
      ? deps.core.findCharacter(outer.actor, { gameId: game.id, playerId }, keyOfLookUp(outer, playerId))
      : { failed: 'refusal-stranger' },
  );
  if (isFailed(found)) return (await fail(scene, found)) ?? 'ended';
  switch (found.status) {
    case 'found':
      return takePlayer(scene, game, { playerId, name: found.name });
    case 'notFound':
      return { hint: `${ctx.say('redeem-player-unknown')}\n\n` };
    case 'quotaExceeded':
    case 'tooManyBadRequests':
      await prompts.tryCore((outer) => finish(replyNotBegun(outer, found, scene.screen)));
      return 'ended';
    case 'unreachable':
      return askToRetry(scene, playerId);
    case 'notOffered':
      return askOnceMore(scene, playerId);
  }
}

/** Names are not told here: an ID that is sent twice alike is the one. */
async function askOnceMore(scene: Scene, playerId: string): Promise<PlayerStep> {
  const { ctx, wish } = scene;
  await show(scene, ctx.say('redeem-unnamed', { player: playerId }), [
    [{ label: ctx.label('button-other-player'), value: 'other' }, ...cancelRow(scene)],
  ]);
  const answer = await hear(scene);
  if (isCancel(answer)) return (await cancel(scene)) ?? 'ended';
  if (answer.kind !== 'message') return { hint: '' };
  const step = readPlayer(scene, answer.message.text);
  if (typeof step === 'string' || !('typed' in step) || step.typed !== playerId) return step;
  // What was wanted is said once.
  if (scene.wish.items.length === 0) scene.wish = wish;
  return { confirmed: { playerId, name: playerId } };
}

async function askToRetry(scene: Scene, playerId: string): Promise<PlayerStep> {
  const { ctx } = scene;
  await show(scene, ctx.say('redeem-unreachable'), [
    [
      { label: ctx.label('button-try-again'), value: 'retry' },
      { label: ctx.label('button-other-player'), value: 'other' },
    ],
    cancelRow(scene),
  ]);
  const answer = await hear(scene);
  if (isCancel(answer)) return (await cancel(scene)) ?? 'ended';
  if (answer.kind === 'message') return readPlayer(scene, answer.message.text);
  return answer.value === 'retry' ? { typed: playerId } : { hint: '' };
}

function takePlayer(scene: Scene, game: Game, player: OrderPlayer): PlayerStep | Promise<PlayerStep> {
  return scene.isNamedLater ? { confirmed: player } : confirmPlayer(scene, game, player);
}

async function confirmPlayer(scene: Scene, game: Game, player: OrderPlayer): Promise<PlayerStep> {
  const { ctx } = scene;
  const yes = `yes-${player.playerId}`;
  const before = scene.named?.playerId ?? player.playerId;
  scene.named = player;
  const other = before === player.playerId ? '' : `${ctx.say('redeem-another-id', { before })}\n\n`;
  for (;;) {
    await show(scene, other + ctx.say('redeem-is-it', { name: name(player.name), player: player.playerId }), [
      [{ label: ctx.label('button-thats-the-one'), value: yes }],
      [{ label: ctx.label('button-other-player'), value: 'other' }, ...cancelRow(scene)],
    ]);
    const answer = await hear(scene);
    if (isCancel(answer)) return (await cancel(scene)) ?? 'ended';
    if (answer.kind === 'message') {
      const wanted = parseWanted(answer.message.text ?? '', game);
      if (!wanted || !('code' in wanted) || !/\D/.test(wanted.code))
        return readPlayer(scene, answer.message.text);
      scene.code = wanted.code;
      return { confirmed: player };
    }
    if (answer.value === yes) return { confirmed: player };
    if (answer.value === 'other') return { hint: '' };
  }
}

/** undefined: it was left. What was written may be a denomination, too. */
async function askForCode(scene: Scene, game: Game, isMeaningless: boolean): Promise<Wanted | undefined> {
  const { ctx } = scene;
  let hint = isMeaningless ? 'redeem-code-form' : undefined;
  for (;;) {
    const words = hint === undefined ? '' : `${ctx.say(hint, { game: game.id })}\n\n`;
    await show(scene, words + ctx.say('redeem-code', { game: game.id }), [cancelRow(scene)]);
    const answer = await hear(scene);
    if (isCancel(answer)) return cancel(scene);
    if (answer.kind !== 'message') continue;
    const wanted = parseWanted(answer.message.text ?? '', game);
    if (wanted) return wanted;
    await leaveForAnother(scene, answer.message.text);
    hint = 'redeem-code-form';
  }
}

/**
 * Whoever is asked for something else and writes a player begins anew: the order is read as one that needs no command.
 */
async function leaveForAnother({ deps, prompts }: Scene, text = ''): Promise<void> {
  const { kind } = readPlainMessage(text, deps.core.games);
  if (kind === 'orders' || kind === 'candidates') await prompts.leave();
}

async function show(scene: Scene, html: string, choices: Rows): Promise<void> {
  if (scene.screen === undefined) scene.screen = await scene.prompts.reply(html, choices);
  else await scene.prompts.change(scene.screen, html, choices);
}

async function hear(scene: Scene): Promise<Answer> {
  const answer = await scene.prompts.hear();
  if (answer.kind === 'message') scene.screen = undefined;
  return answer;
}

/** What is kept of a message that was sent: that it was. */
const finish = (sent: Promise<void>) => sent.then(() => true);

const cancelRow = ({ ctx }: Scene): Choice[] => [{ label: ctx.label('button-cancel'), value: 'cancel' }];

const isCancel = (answer: Answer) => answer.kind === 'choice' && answer.value === 'cancel';

async function cancel(scene: Scene): Promise<undefined> {
  await show(scene, scene.ctx.say('redeem-cancelled'), []);
}

async function fail(scene: Scene, { failed }: Failed): Promise<undefined> {
  if (isSubscriptionKey(failed)) {
    await scene.prompts.tryCore((outer) => finish(replySubscriptionNeeded(outer, failed, scene.screen)));
    return;
  }
  await show(scene, scene.ctx.say(failed), []);
}

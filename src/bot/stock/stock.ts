// /stock: what there is of each game and denomination. In groups the numbers alone.
import { Composer, InlineKeyboard } from 'grammy';

import { grantOf, type Game } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { wordLot } from './code-order.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { reply } from '../replies.ts';

const BUTTONS_A_ROW = 2;
const MOST_BUTTONS = 60;
const LONGEST_DATA_BYTES = 64;

export function createStock({ core }: Pick<BotDeps, 'core'>): Feature {
  const handlers = new Composer<BotContext>();

  handlers.command('stock', requires('seeStock'), async (ctx) => {
    const { managed } = core.games;
    if (managed.length === 0) return void (await reply(ctx, ctx.say('codes-no-game')));
    const blocks = managed.map((game) => wordGame(core, ctx, game));
    const mayAdd = ctx.isPrivate && grantOf(actorOf(ctx), 'addCodes') !== 'no';
    const keyboard = mayAdd ? addKeyboard(ctx, managed) : undefined;
    await reply(ctx, [...blocks, ctx.say('stock-note')].join('\n\n'), keyboard);
  });

  return { commands: [{ name: 'stock', for: 'seeStock', inGroups: true }], handlers };
}

function wordGame(core: BotDeps['core'], ctx: BotContext, game: Game): string {
  const actor = actorOf(ctx);
  const spent = core.handedOut.countSpentToday(actor, game.id);
  const lines = core.codes.countStock(actor, game.id).map(({ denomination, ...counts }) =>
    ctx.say('stock-line', {
      lot: wordLot(ctx, game, denomination),
      ...counts,
      spent: spent.get(denomination) ?? 0,
    }),
  );
  return [ctx.say('stock-game', { game: game.id }), ...lines].join('\n');
}

function addKeyboard(ctx: BotContext, games: readonly Game[]): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  const lots = games.flatMap((game) => game.denominations.map((denomination) => ({ game, denomination })));
  let count = 0;
  for (const { game, denomination } of lots) {
    const data = `add:new:${denomination}:${game.id}`;
    if (Buffer.byteLength(data) > LONGEST_DATA_BYTES || count === MOST_BUTTONS) continue;
    if (count % BUTTONS_A_ROW === 0) keyboard.row();
    count += 1;
    const variables = { lot: wordLot(ctx, game, denomination), game: game.id };
    keyboard.text(ctx.label(games.length > 1 ? 'button-add-lot-of' : 'button-add-lot', variables), data);
  }
  return keyboard;
}

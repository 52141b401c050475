// What is missing of an extraction: game, denomination, amount. Each last confirmation is made in extract-codes.ts;
// under one that offers a few amounts another amount or another denomination is heard, and gets a confirmation of its
// own.
import type { Game } from '../../core/index.ts';
import { readOrder, labelStockKey } from './code-order.ts';
import { actorOf, type BotContext, type BotDeps, type InnerContext } from '../context.ts';
import { chooseGame } from './choose-game.ts';
import type { Choice, ConversationEntry, Prompts } from '../conversation.ts';

export const EXTRACT_CODES = 'extract-codes';

/** What is to be confirmed; without an amount a few are offered. */
export interface WishToExtract {
  gameId: string;
  denomination: number;
  amount?: number | undefined;
}

export type AskToConfirm = (ctx: BotContext, wish: WishToExtract) => Promise<void>;

/** What is known already, as it was written. */
export type GivenToExtract = Partial<Record<'denomination' | 'amount', number | undefined>> & {
  gameId?: string;
};

/** What the stock has of each denomination. */
type Stock = readonly (readonly [denomination: number, available: number])[];

interface Asking {
  prompts: Prompts;
  ctx: InnerContext;
  game: Game | undefined;
  stock: Stock;
}

type Deps = Pick<BotDeps, 'core'>;
const MOST_STOCK_KEYS = 60;
const ALL = /^(?:all|everything|все|всё)$/i;

export function createExtractCodesConversation(deps: Deps, askToConfirm: AskToConfirm): ConversationEntry {
  return {
    name: EXTRACT_CODES,
    async run(prompts: Prompts, ctx: InnerContext, given: GivenToExtract) {
      const gameId = given.gameId ?? (await chooseGame(deps, prompts, ctx));
      if (gameId === undefined) return;
      const counted = await prompts.core((outer) => [
        ...deps.core.codes.countAvailable(actorOf(outer), gameId),
      ]);
      const stock = counted.filter(([, available]) => available > 0);
      if (stock.length === 0) return void (await prompts.reply(ctx.say('extract-empty', { game: gameId })));
      const game = deps.core.games.find(gameId);
      const asking: Asking = { prompts, ctx, game, stock };
      const known = given.amount !== undefined && given.amount > 0 ? given.amount : undefined;
      let wish: WishToExtract = {
        gameId,
        denomination:
          findStocked(stock, given.denomination) ?? (await chooseStockKey(asking, given.denomination)),
        amount: known,
      };
      for (;;) {
        const confirmed = wish;
        await prompts.core((outer) => askToConfirm(outer, confirmed));
        if (wish.amount !== undefined) return;
        wish = await hearOther(asking, wish);
      }
    },
  };
}

/** The one that was given, or the only one. */
function findStocked(stock: Stock, given: number | undefined): number | undefined {
  const [only, ...others] = stock;
  if (given === undefined && others.length === 0) return only?.[0];
  return readDenomination(stock, given);
}

const readDenomination = (stock: Stock, denomination: number | undefined): number | undefined =>
  stock.find(([each]) => each === denomination)?.[0];

const readPressed = (stock: Stock, value: string): number | undefined =>
  stock.find(([each]) => value === `denomination-${each}`)?.[0];

async function chooseStockKey(
  { prompts, ctx, game, stock }: Asking,
  given: number | undefined,
): Promise<number> {
  if (!game) return 0;
  const choices: Choice[][] = stock.slice(0, MOST_STOCK_KEYS).map(([each, available]) => {
    const facts = { stockKey: labelStockKey(ctx, game, each), available: String(available) };
    return [{ label: ctx.label('button-stock-key-available', facts), value: `denomination-${each}` }];
  });
  const amount = String(given ?? '');
  await prompts.reply(
    ctx.say(given === undefined ? 'extract-which' : 'extract-which-instead', { amount }),
    choices,
  );
  for (;;) {
    const answer = await prompts.hear();
    const chosen =
      answer.kind === 'choice'
        ? readPressed(stock, answer.value)
        : readDenomination(stock, readOrder(answer.message.text ?? '', [game]).amount);
    if (chosen !== undefined) return chosen;
    if (answer.kind === 'message') await prompts.reply(ctx.say('extract-which'), choices);
  }
}

/** What is wanted instead of the amounts that are offered. What is neither is answered as if nothing had been asked. */
async function hearOther({ prompts, ctx, game, stock }: Asking, wish: WishToExtract): Promise<WishToExtract> {
  const { gameId, denomination } = wish;
  const available = stock.find(([each]) => each === denomination)?.[1] ?? 0;
  for (;;) {
    const answer = await prompts.hear();
    if (answer.kind === 'choice') {
      const other = readPressed(stock, answer.value);
      if (other !== undefined) return { gameId, denomination: other };
      continue;
    }
    const said = (answer.message.text ?? '').trim();
    if (ALL.test(said)) return { ...wish, amount: available };
    if (/^\d{1,9}$/.test(said)) {
      if (Number(said) > 0) return { ...wish, amount: Number(said) };
      const stockKey = game ? labelStockKey(ctx, game, denomination) : String(denomination);
      await prompts.reply(ctx.say('extract-how-many-again', { stockKey, available }));
      continue;
    }
    const { amount, rest } = readOrder(said, game ? [game] : []);
    const other = rest === '' ? readDenomination(stock, amount) : undefined;
    if (other === undefined) return prompts.leave();
    return { gameId, denomination: other };
  }
}

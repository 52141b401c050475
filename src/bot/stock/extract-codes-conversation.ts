// What is missing of an extraction: game, denomination, amount. The last confirmation is a confirmation (extract-codes.ts).
import { readOrder, labelStockKey } from './code-order.ts';
import { actorOf } from '../context.ts';
import type { BotContext, BotConversation, BotDeps, InnerContext } from '../context.ts';
import type { ConversationEntry } from '../feature.ts';
import { chooseGame } from './choose-game.ts';
import { createTalk, isFailed, type Talk } from '../prompts/prompts.ts';

export const EXTRACT_CODES = 'extract-codes';

/** What a confirmed confirmation takes out. */
export interface ExtractOrder {
  gameId: string;
  denomination: number;
  amount: number;
}

export type AskToConfirm = (ctx: BotContext, order: ExtractOrder) => Promise<void>;

/** What is known already, as it was written. */
export interface GivenToExtract {
  gameId?: string;
  denomination?: number | undefined;
  amount?: number | undefined;
}

type Deps = Pick<BotDeps, 'core' | 'ids'>;
const PROPOSED = [1, 10, 50, 100];
const ALL = /^(?:all|everything|все|всё)$/i;

export function createExtractCodesConversation(deps: Deps, askToConfirm: AskToConfirm): ConversationEntry {
  return {
    name: EXTRACT_CODES,
    async run(conversation: BotConversation, ctx: InnerContext, given: GivenToExtract) {
      const talk = await createTalk(conversation, ctx, () => deps.ids.secret(6));
      const gameId = given.gameId ?? (await chooseGame(deps, talk, ctx));
      if (gameId === undefined) return;
      const stock = await talk.core((outer) => [...deps.core.codes.countAvailable(actorOf(outer), gameId)]);
      if (isFailed(stock)) return void (await talk.tell(ctx.say(stock.failed)));
      const stockKeys = stock.filter(([, available]) => available > 0);
      if (stockKeys.length === 0) return void (await talk.tell(ctx.say('extract-empty', { game: gameId })));
      const denomination = await chooseStockKey(deps, talk, ctx, gameId, stockKeys, given.denomination);
      const available = stockKeys.find(([each]) => each === denomination)?.[1] ?? 0;
      const amount =
        given.amount !== undefined && given.amount > 0
          ? given.amount
          : await chooseAmount(deps, talk, ctx, { gameId, denomination, available });
      const asked = await talk.core(async (outer) => {
        await askToConfirm(outer, { gameId, denomination, amount });
        return true;
      });
      if (isFailed(asked)) await talk.tell(ctx.say(asked.failed));
    },
  };
}

async function chooseStockKey(
  { core }: Deps,
  talk: Talk,
  ctx: InnerContext,
  gameId: string,
  stockKeys: [number, number][],
  given: number | undefined,
): Promise<number> {
  const game = core.games.find(gameId);
  const known = stockKeys.find(([each]) => each === given);
  if (known || !game) return known?.[0] ?? 0;
  const choices = stockKeys.slice(0, 60).map(([each, available]) => {
    const variables = { stockKey: labelStockKey(ctx, game, each), available: String(available) };
    return [{ label: ctx.label('button-stock-key-available', variables), value: `denomination-${each}` }];
  });
  const amount = String(given ?? '');
  await talk.tell(
    ctx.say(given === undefined ? 'extract-which' : 'extract-which-instead', { amount }),
    choices,
  );
  for (;;) {
    const answer = await talk.hear();
    const said = answer.kind === 'choice' ? undefined : readOrder(answer.message.text ?? '', [game]).amount;
    const stockKey = stockKeys.find(([each]) =>
      answer.kind === 'choice' ? answer.value === `denomination-${each}` : each === said,
    );
    if (stockKey) return stockKey[0];
    if (answer.kind === 'choice') continue;
    await talk.tell(ctx.say('extract-which'), choices);
  }
}

async function chooseAmount(
  { core }: Deps,
  talk: Talk,
  ctx: InnerContext,
  { gameId, denomination, available }: { gameId: string; denomination: number; available: number },
): Promise<number> {
  const game = core.games.find(gameId);
  const stockKey = game ? labelStockKey(ctx, game, denomination) : '';
  const proposed = PROPOSED.filter((each) => each < available).map((each) => ({
    count: each,
    label: String(each),
  }));
  const all = { count: available, label: ctx.label('button-take-all', { count: String(available) }) };
  const choices = [[...proposed, all].map(({ count, label }) => ({ label, value: `count-${count}` }))];
  await talk.tell(ctx.say('extract-how-many', { stockKey, available }), choices);
  for (;;) {
    const answer = await talk.hear();
    // The button of a denomination, pressed twice, says no number of codes.
    if (answer.kind === 'choice' && !answer.value.startsWith('count-')) continue;
    const said =
      answer.kind === 'choice' ? answer.value.slice('count-'.length) : (answer.message.text ?? '').trim();
    if (ALL.test(said)) return available;
    if (/^\d{1,9}$/.test(said) && Number(said) > 0) return Number(said);
    await talk.tell(ctx.say('extract-how-many-again', { stockKey, available }), choices);
  }
}

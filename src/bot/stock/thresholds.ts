// Thresholds of stock in /settings: of one game, as lines such as `60 50`; also behind the command.
import { MAX_THRESHOLD, type StockAlert } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { askInWords } from '../prompts/ask.ts';
import { reply } from '../replies.ts';
import { createGameQuestion } from './choose-game.ts';

type Deps = Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids'>;

const THRESHOLDS = 'thresholds';
const LINE = /^(\d{1,7})\s+(\d{1,7}|off|выкл)$/iu;
/** What is as long and no denomination is a player. */
const SHORTEST_ID = 5;

/** Whether they are meant, whatever there is. */
export const isThresholds = (text: string): boolean => splitLines(text).every((line) => LINE.test(line));

/** `ask`: `given` stands behind the command, and is asked about where it is no answer. */
export function createThresholds(
  deps: Deps,
): Pick<Feature, 'buttons' | 'questions'> & { ask(ctx: BotContext, given?: string): Promise<unknown> } {
  const needs = 'setAlerts';
  const hear = async (ctx: BotContext, gameId: string, text: string): Promise<boolean | string> => {
    const alerts = readAlerts(deps, ctx, gameId, text);
    if (Array.isArray(alerts)) await setAll(deps, ctx, alerts);
    return Array.isArray(alerts) || alerts;
  };
  const game = createGameQuestion(deps, 'settings:stock:game', {
    needs,
    async then(ctx, gameId, { given }: { given: string }) {
      const heard = given !== '' && (await hear(ctx, gameId, given));
      const html = heard === false ? formatQuestion(deps, ctx, gameId) : heard;
      if (html !== true) await askInWords(ctx, html, THRESHOLDS, gameId);
    },
  });
  return {
    buttons: game.buttons,
    questions: { ...game.questions, [THRESHOLDS]: { needs, hear } },
    ask: (ctx, given = '') =>
      deps.core.games.managed.length === 0
        ? reply(ctx, ctx.say('settings-stock-none'))
        : game.ask(ctx, { given }),
  };
}

/** How they are, a line for each number, and what may be sent. */
function formatQuestion({ core }: Deps, ctx: BotContext, gameId: string): string {
  const listed = core.stockAlerts.list(actorOf(ctx)).filter((each) => each.gameId === gameId);
  const groups = Map.groupBy(listed, ({ isOpen, threshold }) => (isOpen ? 'open' : String(threshold)));
  const lines = [...groups].map(([threshold, group]) => {
    const key = { open: 'settings-stock-key-open', 0: 'settings-stock-key-off' }[threshold];
    const stockKey = nameStockKeys(
      core,
      ctx,
      gameId,
      group.map(({ denomination }) => denomination).join(', '),
    );
    return ctx.say(key ?? 'settings-stock-key', { stockKey, threshold });
  });
  return [ctx.say('settings-stock'), '', ...lines, '', ctx.say('settings-stock-ask')].join('\n');
}

function readAlerts(
  { core }: Deps,
  { say }: Pick<BotContext, 'say'>,
  gameId: string,
  text: string,
): StockAlert[] | string | false {
  if (!isThresholds(text)) return false;
  const denominations = core.games.find(gameId)?.denominations ?? [];
  const answer = splitLines(text).map((line) => {
    const [, denomination, threshold] = LINE.exec(line) ?? [];
    return { gameId, denomination: Number(denomination), threshold: Number(threshold) || 0 };
  });
  const unknown = answer.filter(({ denomination }) => !denominations.includes(denomination));
  if (unknown.some(({ denomination }) => String(denomination).length >= SHORTEST_ID)) return false;
  if (unknown.length === 0 && answer.every(({ threshold }) => threshold <= MAX_THRESHOLD)) return answer;
  const facts = { denominations: denominations.join(', '), most: String(MAX_THRESHOLD) };
  return say('settings-threshold-wrong', facts);
}

const splitLines = (text: string): string[] =>
  text
    .trim()
    .split(/[\n,;]/)
    .map((line) => line.trim());

/** What says so is one transaction with the last of them: the same update again sets them all again. */
async function setAll({ core }: Deps, ctx: BotContext, alerts: readonly StockAlert[]): Promise<void> {
  const actor = actorOf(ctx);
  const lines = alerts.map(({ gameId, denomination, threshold }) =>
    ctx.say(threshold === 0 ? 'settings-threshold-off' : 'settings-threshold-set', {
      stockKey: nameStockKeys(core, ctx, gameId, String(denomination)),
      threshold: String(threshold),
    }),
  );
  await reply(ctx, lines.join('\n'));
  for (const alert of alerts)
    await core.stockAlerts.set(actor, alert, alert === alerts.at(-1) ? ctx.turn.ends() : undefined);
}

function nameStockKeys(
  { games }: Deps['core'],
  { label }: Pick<BotContext, 'label'>,
  gameId: string,
  denominations: string,
): string {
  const several = games.managed.length > 1 ? ` (${label('game-name', { game: gameId })})` : '';
  return `${denominations} ${games.find(gameId)?.currency ?? ''}${several}`;
}

// Thresholds of stock in /settings: a button per denomination, then a number; or `/settings 60 50`.
import { createHash } from 'node:crypto';
import { InlineKeyboard } from 'grammy';

import { grantOf, MAX_THRESHOLD, type AccountActor, type StockAlert } from '../../core/index.ts';
import { refusalOf, requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { Handlers } from '../handlers.ts';
import { answerRow } from '../outbox/actions.ts';
import { toOutgoing, toOutgoingRow, type Outgoing } from '../outgoing.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { addBack, addPages, cutListPage } from '../prompts/paging-keyboard.ts';

const THRESHOLDS = [0, 5, 10, 20, 50, 100, 200, 500] as const;
const IN_A_ROW = 4;
const STOCK_KEYS_A_PAGE = 20;

/** The name of the view: the thresholds as they are, after one was set. */
export const THRESHOLDS_SET = 'thresholds-set';

/** The buttons. What was set and what shows it are one transaction. */
export function createStockSettings(deps: BotDeps): Handlers {
  const handlers = new Handlers();
  const allowed = requires('setAlerts');

  handlers.callbackQuery(/^settings:stock(?::(\d{1,4}))?$/, allowed, async (ctx) => {
    answerTap(ctx);
    await showStockKeys(deps, ctx, Number(ctx.match[1] ?? 0));
  });
  handlers.callbackQuery(/^settings:key:([0-9a-f]{8}):(\d{1,12})$/, allowed, async (ctx) => {
    const stockKey = findStockKey(deps, ctx, ctx.match);
    if (!stockKey) return answerTap(ctx, ctx.label('button-old'), true);
    answerTap(ctx);
    await showStockKey(deps, ctx, stockKey);
  });
  handlers.callbackQuery(/^settings:under:([0-9a-f]{8}):(\d{1,12}):(\d{1,6})$/, allowed, async (ctx) => {
    const stockKey = findStockKey(deps, ctx, ctx.match);
    if (!stockKey) return answerTap(ctx, ctx.label('button-old'), true);
    const { message_id: messageId } = ctx.callbackQuery.message ?? {};
    const messages = answerRow(ctx, { view: THRESHOLDS_SET, of: {}, messageId });
    const inTransaction = deps.store.inTransaction(() => ({ messages }));
    await deps.core.stockAlerts.set(
      actorOf(ctx),
      { ...stockKey, threshold: Number(ctx.match[3]) },
      inTransaction,
    );
    answerTap(ctx, ctx.label('settings-saved'));
  });
  return handlers;
}

/** `60 50`: tell under 50 codes of 60, of the first game that has it. False when it is something else. */
export async function setFromArguments(
  deps: BotDeps,
  ctx: BotContext,
  denomination: string,
  threshold: string,
): Promise<boolean> {
  if (!/^\d{1,12}$/.test(denomination) || !/^\d{1,9}$/.test(threshold)) return false;
  if (!ctx.actor || grantOf(ctx.actor, 'setAlerts') === 'no') {
    await reply(ctx, ctx.say(refusalOf(ctx, 'setAlerts')));
    return true;
  }
  const stockKeys = deps.core.stockAlerts.list(ctx.actor);
  if (stockKeys.length === 0) {
    await reply(ctx, ctx.say('settings-stock-none'));
    return true;
  }
  const stockKey = stockKeys.find((each) => each.denomination === Number(denomination));
  if (!stockKey || Number(threshold) > MAX_THRESHOLD) {
    const denominations = [...new Set(stockKeys.map((each) => each.denomination))].join(', ');
    await reply(ctx, ctx.say('settings-threshold-wrong', { denominations, most: String(MAX_THRESHOLD) }));
    return true;
  }
  const key = Number(threshold) === 0 ? 'settings-threshold-off' : 'settings-threshold-set';
  const html = ctx.say(key, { stockKey: nameStockKey(deps, ctx, stockKey), threshold });
  const chatId = ctx.chat?.id ?? ctx.actor.telegramId;
  const messages = [toOutgoingRow(`threshold:${ctx.update.update_id}`, chatId, { html })];
  const inTransaction = deps.store.inTransaction(() => ({ messages }));
  await deps.core.stockAlerts.set(ctx.actor, { ...stockKey, threshold: Number(threshold) }, inTransaction);
  return true;
}

async function showStockKeys(deps: BotDeps, ctx: BotContext, page: number): Promise<void> {
  const [html, keyboard] = formatStockKeys(deps, ctx, actorOf(ctx), page);
  await editHtml(ctx, html, keyboard);
}

/** Every threshold as it is by now. */
export function showThresholds(deps: Pick<BotDeps, 'core'>, words: Words, actor: AccountActor): Outgoing {
  return toOutgoing(...formatStockKeys(deps, words, actor, 0));
}

type Words = Pick<BotContext, 'say' | 'label'>;

function formatStockKeys(
  deps: Pick<BotDeps, 'core'>,
  { say, label }: Words,
  actor: AccountActor,
  page: number,
): [html: string, keyboard: InlineKeyboard] {
  const stockKeys = deps.core.stockAlerts.list(actor);
  const dataOf = (other: number) => `settings:stock:${other}`;
  const { shown, beside } = cutListPage(stockKeys, { page, size: STOCK_KEYS_A_PAGE, dataOf });
  const keyboard = new InlineKeyboard();
  for (const stockKey of shown) {
    const key = stockKey.isOpen
      ? 'settings-stock-key-open'
      : stockKey.threshold === 0
        ? 'settings-stock-key-off'
        : 'settings-stock-key';
    const text = label(key, {
      stockKey: nameStockKey(deps, { label }, stockKey),
      threshold: String(stockKey.threshold),
    });
    keyboard.text(text, `settings:key:${tagOf(stockKey.gameId)}:${stockKey.denomination}`).row();
  }
  addPages(keyboard, { label }, beside);
  addBack(keyboard, { label }, 'settings:main');
  return [say(stockKeys.length === 0 ? 'settings-stock-none' : 'settings-stock'), keyboard];
}

async function showStockKey(deps: BotDeps, ctx: BotContext, stockKey: StockAlert): Promise<void> {
  const keyboard = new InlineKeyboard();
  THRESHOLDS.forEach((threshold, index) => {
    if (index > 0 && index % IN_A_ROW === 0) keyboard.row();
    const label = threshold === 0 ? ctx.label('settings-button-never') : `< ${threshold}`;
    keyboard.text(label, `settings:under:${tagOf(stockKey.gameId)}:${stockKey.denomination}:${threshold}`);
  });
  addBack(keyboard, ctx, 'settings:stock');
  const denomination = String(stockKey.denomination);
  await editHtml(
    ctx,
    ctx.say('settings-stock-key-ask', { stockKey: nameStockKey(deps, ctx, stockKey), denomination }),
    keyboard,
  );
}

function findStockKey(
  { core }: BotDeps,
  ctx: BotContext,
  match: readonly (string | undefined)[] | string,
): StockAlert | undefined {
  const [, tag, denomination] = match;
  return core.stockAlerts
    .list(actorOf(ctx))
    .find((stockKey) => tagOf(stockKey.gameId) === tag && String(stockKey.denomination) === denomination);
}

function nameStockKey(
  { core }: Pick<BotDeps, 'core'>,
  { label }: Pick<Words, 'label'>,
  { gameId, denomination }: StockAlert,
): string {
  const currency = core.games.find(gameId)?.currency ?? '';
  const several = core.games.managed.length > 1 ? ` (${label('game-name', { game: gameId })})` : '';
  return `${denomination} ${currency}${several}`;
}

/** A game in a button: its id may be longer than a button holds. */
function tagOf(gameId: string): string {
  return createHash('sha256').update(gameId).digest('hex').slice(0, 8);
}

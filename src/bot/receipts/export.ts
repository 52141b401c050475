// /export [days] [csv] [full]: receipts as a spreadsheet, or as CSV for programs. Without credentials and whole codes,
// unless an owner asks for them and confirms it.
import { InlineKeyboard } from 'grammy';

import { grantOf, MOST_EXPORT_DAYS } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { runAction, enqueueAnswer } from '../outbox/actions.ts';
import { createConfirmation } from '../prompts/confirmations.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { confirmKeyboard } from '../prompts/confirm-keyboard.ts';
import { createExportView, EXPORT, type ExportResult } from './export-result.ts';
import { answerTap, reply } from '../replies.ts';

type Deps = Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids' | 'texts'>;

/** `csv`: for programs; `full`: with codes and credentials. */
interface Order {
  days: number;
  csv: boolean;
  full: boolean;
}

const FULL_ACTION = 'export-full';
const OFFERED_DAYS = [1, 7, 30, 90] as const;

export function createExportFeature(deps: Deps): Feature {
  const handlers = new Handlers();

  handlers.command('export', requires('exportReceipts'), async (ctx) => {
    const asked = parseExport(ctx.match);
    if (asked === undefined) {
      await reply(ctx, ctx.say('export-wrong', { most: String(MOST_EXPORT_DAYS) }));
    } else if (asked.days === undefined) {
      await reply(ctx, ctx.say(asked.full ? 'export-ask-full' : 'export-ask'), daysKeyboard(ctx, asked));
    } else {
      await begin(deps, ctx, { ...asked, days: asked.days });
    }
  });

  handlers.callbackQuery(/^export:([0-9]{1,3})(:csv)?(:full)?$/, requires('exportReceipts'), async (ctx) => {
    const days = Number(ctx.match[1]);
    if (days < 1 || days > MOST_EXPORT_DAYS) return answerTap(ctx, ctx.label('button-old'), true);
    answerTap(ctx);
    await begin(deps, ctx, { days, csv: ctx.match[2] !== undefined, full: ctx.match[3] !== undefined });
  });

  handlers.callbackQuery(new RegExp(`^${FULL_ACTION}:`), requires('exportCredentials'), async (ctx) => {
    await runAction<Order>(deps, ctx, FULL_ACTION, async ({ payload, confirmation, isDone, result }) => {
      if (isDone) return;
      const of = toResult({ ...payload, full: true }, deps.clock.now());
      const messages = [
        result({ html: ctx.say('export-under-way') }),
        result({ view: EXPORT, of }, { apart: 'file' }),
      ];
      const inTransaction = deps.store.inTransaction(() => ({ confirmation, messages }));
      await deps.core.orderFullExport(actorOf(ctx), payload.days, inTransaction);
    });
  });

  return {
    commands: [{ name: 'export', for: 'exportReceipts' }],
    handlers,
    views: { [EXPORT]: createExportView(deps) },
  };
}

/** Sends the document, or asks for the confirmation that credentials need. */
async function begin(deps: Deps, ctx: BotContext, order: Order): Promise<void> {
  const { days, csv, full } = order;
  if (!full) return enqueueAnswer(deps, ctx, { view: EXPORT, of: toResult(order, deps.clock.now()) });
  if (grantOf(actorOf(ctx), 'exportCredentials') === 'no') {
    await reply(ctx, ctx.say('export-full-refused', { days: String(days) }));
    return;
  }
  const data = await createConfirmation(deps, ctx, { action: FULL_ACTION, payload: { days, csv } });
  const keyboard = confirmKeyboard(ctx, data, { label: ctx.label('button-make-file') });
  await reply(ctx, ctx.say('export-confirm', { days }), keyboard);
}

const toResult = ({ days, csv, full }: Order, at: number): ExportResult => ({
  days,
  full,
  ...(csv && { csv }),
  at,
});

function daysKeyboard(ctx: BotContext, { csv, full }: Omit<Order, 'days'>): InlineKeyboard {
  const kind = `${csv ? ':csv' : ''}${full ? ':full' : ''}`;
  const button = (days: number) =>
    InlineKeyboard.text(ctx.label('stats-days', { days }), `export:${days}${kind}`);
  return new InlineKeyboard([OFFERED_DAYS.slice(0, 2).map(button), OFFERED_DAYS.slice(2).map(button)]);
}

/** What was asked for; undefined when it cannot be understood. */
export function parseExport(text: string): (Omit<Order, 'days'> & Partial<Order>) | undefined {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  const [csv, full] = [words.includes('csv'), words.includes('full')];
  const rest = words.filter((word) => word !== 'full' && word !== 'csv');
  if (rest.length === 0) return { csv, full };
  const days = rest.length === 1 && /^[0-9]{1,4}$/.test(rest[0] ?? '') ? Number(rest[0]) : 0;
  return days >= 1 && days <= MOST_EXPORT_DAYS ? { days, csv, full } : undefined;
}

// /export [days] [csv] [full]: receipts as a spreadsheet, or as CSV for programs. Without credentials and whole codes,
// unless an owner asks for them and confirms it.
import { InlineKeyboard } from 'grammy';

import { grantOf, MOST_EXPORT_DAYS } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { confirming, enqueueAnswer } from '../outbox/actions.ts';
import { button, checked, type Feature } from '../feature.ts';
import { createExportView, EXPORT, type ExportResult } from './export-result.ts';
import { reply } from '../replies.ts';

type Deps = Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids' | 'texts'>;

/** `csv`: for programs; `full`: with codes and credentials. */
interface Order {
  days: number;
  csv: boolean;
  full: boolean;
}

const OFFERED_DAYS = [1, 7, 30, 90] as const;

export const createExportFeature = (deps: Deps): Feature => ({
  commands: { export: { needs: 'exportReceipts', run: (ctx, text) => answerCommand(deps, ctx, text) } },
  buttons: {
    export: button('exportReceipts', [order], (ctx, asked) => begin(deps, ctx, asked)),
    ...makingFull(deps).button,
  },
  views: { [EXPORT]: createExportView(deps) },
});

const makingFull = (deps: Deps) =>
  confirming<Omit<Order, 'full'>>(deps, 'export-full', {
    needs: 'exportCredentials',
    asks: (ctx, { days }) => ({
      html: ctx.say('export-confirm', { days }),
      label: ctx.label('button-make-file'),
    }),
    async does(ctx, { payload, ends, result }) {
      const of = toResult({ ...payload, full: true }, deps.clock.now());
      const messages = [
        result({ html: ctx.say('export-under-way') }),
        result({ view: EXPORT, of }, { apart: 'file' }),
      ];
      await deps.core.receiptList.orderFull(
        actorOf(ctx),
        { days: payload.days },
        ends(() => messages),
      );
    },
  });

/** `7`, `7:csv`, `7:full`, `7:csv:full` */
const order = checked((text): Order | undefined => {
  const [, days, csv, full] = /^([0-9]{1,3})(:csv)?(:full)?$/.exec(text) ?? [];
  const isOffered = Number(days) >= 1 && Number(days) <= MOST_EXPORT_DAYS;
  return isOffered ? { days: Number(days), csv: csv !== undefined, full: full !== undefined } : undefined;
});

async function answerCommand(deps: Deps, ctx: BotContext, text: string): Promise<unknown> {
  const asked = parseExport(text);
  if (!asked) return reply(ctx, ctx.say('export-wrong', { most: String(MOST_EXPORT_DAYS) }));
  if (asked.days !== undefined) return begin(deps, ctx, { ...asked, days: asked.days });
  return reply(ctx, ctx.say(asked.full ? 'export-ask-full' : 'export-ask'), daysKeyboard(ctx, asked));
}

/** Sends the document, or asks for the confirmation that credentials need. */
async function begin(deps: Deps, ctx: BotContext, order: Order): Promise<void> {
  const { days, csv, full } = order;
  if (!full) return enqueueAnswer(ctx, { view: EXPORT, of: toResult(order, deps.clock.now()) });
  if (grantOf(actorOf(ctx), 'exportCredentials') === 'no') {
    await reply(ctx, ctx.say('export-full-refused', { days: String(days) }));
    return;
  }
  await makingFull(deps).ask(ctx, { days, csv });
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

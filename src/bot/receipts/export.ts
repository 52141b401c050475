// /export [days] [full]: receipts as a CSV document. Without credentials and whole codes, unless an owner asks for them and
// confirms it.
import { InlineKeyboard } from 'grammy';

import { grantOf, MOST_EXPORT_DAYS } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { carryOut, sayLater } from '../delivery/deeds.ts';
import { keepDraft } from '../talk/drafts.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { confirmKeyboard } from '../talk/confirm-keyboard.ts';
import { createExportView, EXPORT, type ExportResult } from './export-result.ts';
import { answerTap, reply } from '../replies.ts';

type Deps = Pick<BotDeps, 'core' | 'keeping' | 'clock' | 'ids' | 'texts'>;

const FULL_ACTION = 'export-full';
const OFFERED_DAYS = [1, 7, 30, 90] as const;

export function createExportCommand(deps: Deps): Feature {
  const handlers = new Handlers();

  handlers.command('export', requires('exportReceipts'), async (ctx) => {
    const asked = parseExport(ctx.match);
    if (asked === undefined) {
      await reply(ctx, ctx.say('export-wrong', { most: String(MOST_EXPORT_DAYS) }));
    } else if (asked.days === undefined) {
      await reply(ctx, ctx.say(asked.full ? 'export-ask-full' : 'export-ask'), daysKeyboard(ctx, asked.full));
    } else {
      await begin(deps, ctx, asked.days, asked.full);
    }
  });

  handlers.callbackQuery(/^export:([0-9]{1,3})(:full)?$/, requires('exportReceipts'), async (ctx) => {
    const days = Number(ctx.match[1]);
    if (days < 1 || days > MOST_EXPORT_DAYS) return answerTap(ctx, ctx.label('button-old'), true);
    answerTap(ctx);
    await begin(deps, ctx, days, ctx.match[2] !== undefined);
  });

  handlers.callbackQuery(new RegExp(`^${FULL_ACTION}:`), requires('exportCredentials'), async (ctx) => {
    await carryOut<{ days: number }>(deps, ctx, FULL_ACTION, async ({ payload, draft, result }) => {
      const of: ExportResult = { days: payload.days, full: true, at: deps.clock.now() };
      const messages = [
        result({ html: ctx.say('export-under-way') }),
        result({ view: EXPORT, of }, { apart: 'file' }),
      ];
      await deps.keeping.keepDeed({ draft, messages });
    });
  });

  return {
    commands: [{ name: 'export', for: 'exportReceipts' }],
    handlers,
    views: { [EXPORT]: createExportView(deps) },
  };
}

/** Sends the document, or asks for the confirmation that credentials need. */
async function begin(deps: Deps, ctx: BotContext, days: number, full: boolean): Promise<void> {
  if (!full) {
    const of: ExportResult = { days, full: false, at: deps.clock.now() };
    return sayLater(deps, ctx, { view: EXPORT, of });
  }
  if (grantOf(actorOf(ctx), 'exportCredentials') === 'no') {
    await reply(ctx, ctx.say('export-full-refused', { days: String(days) }));
    return;
  }
  if (!ctx.chat || !ctx.from) return;
  const person = { chatId: ctx.chat.id, userId: ctx.from.id };
  const data = await keepDraft(deps, person, { action: FULL_ACTION, payload: { days } });
  await reply(ctx, ctx.say('export-confirm', { days }), confirmKeyboard(ctx, data));
}

function daysKeyboard(ctx: BotContext, full: boolean): InlineKeyboard {
  const button = (days: number) =>
    InlineKeyboard.text(ctx.label('stats-days', { days }), `export:${days}${full ? ':full' : ''}`);
  return new InlineKeyboard([OFFERED_DAYS.slice(0, 2).map(button), OFFERED_DAYS.slice(2).map(button)]);
}

/** What was asked for; undefined when it cannot be understood. */
export function parseExport(text: string): { days: number | undefined; full: boolean } | undefined {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  const full = words.includes('full');
  const rest = words.filter((word) => word !== 'full');
  if (rest.length === 0) return { days: undefined, full };
  const days = rest.length === 1 && /^[0-9]{1,4}$/.test(rest[0] ?? '') ? Number(rest[0]) : 0;
  return days >= 1 && days <= MOST_EXPORT_DAYS ? { days, full } : undefined;
}

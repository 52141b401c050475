// /export [days] [full]: receipts as a CSV document. Without credentials and whole codes, unless an owner asks for them and
// confirms it.
import { Composer, InlineKeyboard, InputFile } from 'grammy';

import { grantOf, MOST_EXPORT_DAYS } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { keepDraft, takeDraft } from '../talk/drafts.ts';
import type { Feature } from '../feature.ts';
import { confirmKeyboard } from '../talk/confirm-keyboard.ts';
import type { Later } from '../delivery/later.ts';
import { makeReceiptsCsv } from './export-csv.ts';
import { answerTap, editHtml, HTML, reply } from '../replies.ts';

type Deps = Pick<BotDeps, 'core' | 'keeping' | 'clock' | 'ids'> & { later: Later };

const FULL_ACTION = 'export-full';
const OFFERED_DAYS = [1, 7, 30, 90] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

export function createExportCommand(bot: Omit<Deps, 'later'>, later: Later): Feature {
  const deps: Deps = { ...bot, later };
  const handlers = new Composer<BotContext>();

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
    await answerTap(ctx);
    await begin(deps, ctx, days, ctx.match[2] !== undefined);
  });

  handlers.callbackQuery(new RegExp(`^${FULL_ACTION}:`), requires('exportCredentials'), async (ctx) => {
    const draft = await takeDraft<{ days: number }>(deps, ctx, FULL_ACTION);
    if (draft.status === 'refused') return answerTap(ctx, ctx.label(draft.key), true);
    await answerTap(ctx);
    await editHtml(ctx, ctx.say('export-under-way'));
    later.begin(ctx, () => send(deps, ctx, draft.payload.days, true));
  });

  return { commands: [{ name: 'export', for: 'exportReceipts' }], handlers };
}

/** Sends the document, or asks for the confirmation that credentials need. */
async function begin(deps: Deps, ctx: BotContext, days: number, full: boolean): Promise<void> {
  if (!full) return deps.later.begin(ctx, () => send(deps, ctx, days, false));
  if (grantOf(actorOf(ctx), 'exportCredentials') === 'no') {
    await reply(ctx, ctx.say('export-full-refused', { days: String(days) }));
    return;
  }
  if (!ctx.chat || !ctx.from) return;
  const person = { chatId: ctx.chat.id, userId: ctx.from.id };
  const data = await keepDraft(deps, person, { action: FULL_ACTION, payload: { days } });
  await reply(ctx, ctx.say('export-confirm', { days }), confirmKeyboard(ctx, data));
}

async function send({ core, clock }: Deps, ctx: BotContext, days: number, full: boolean): Promise<void> {
  const slices = core.exportRedemptions(actorOf(ctx), { days, full });
  await ctx.replyWithChatAction('upload_document').catch(() => undefined);
  const { parts, count } = await makeReceiptsCsv(slices, { full });
  if (count === 0) {
    await reply(ctx, ctx.say('export-empty', { days }));
    return;
  }
  const dates = [clock.now() - (days - 1) * DAY_MS, clock.now()].map((at) =>
    new Date(at).toISOString().slice(0, 10),
  );
  for (const [index, part] of parts.entries()) {
    const number = parts.length > 1 ? `-part-${index + 1}-of-${parts.length}` : '';
    const file = new InputFile(part, `receipts-${dates.join('-to-')}${full ? '-full' : ''}${number}.csv`);
    const caption = ctx.say(full ? 'export-done-full' : 'export-done', { count });
    await ctx.replyWithDocument(file, {
      parse_mode: HTML.parse_mode,
      ...(index === parts.length - 1 && { caption }),
    });
  }
}

function daysKeyboard(ctx: BotContext, full: boolean): InlineKeyboard {
  const button = (days: number) =>
    InlineKeyboard.text(ctx.label('stats-days', { days }), `export:${days}${full ? ':full' : ''}`);
  return new InlineKeyboard([OFFERED_DAYS.slice(0, 2).map(button), OFFERED_DAYS.slice(2).map(button)]);
}

/** What was asked for; undefined when it cannot be understood. */
function parseExport(text: string): { days: number | undefined; full: boolean } | undefined {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  const full = words.includes('full');
  const rest = words.filter((word) => word !== 'full');
  if (rest.length === 0) return { days: undefined, full };
  const days = rest.length === 1 && /^[0-9]{1,4}$/.test(rest[0] ?? '') ? Number(rest[0]) : 0;
  return days >= 1 && days <= MOST_EXPORT_DAYS ? { days, full } : undefined;
}

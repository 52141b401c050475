// /log: who has done what in the account, newest first, a page at a time.
import { InlineKeyboard } from 'grammy';

import type { AuditEntry } from '../../core/index.ts';
import { requires, labelActor } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { describeOffset, formatMoment, formatShort, zoneOf } from '../moments.ts';
import { addPages } from '../prompts/paging-keyboard.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { name, toKeyPart, type Variables } from '../texts.ts';

const PAGE_SIZE = 10;
const LONGEST_REASON = 200;

export function createLogFeature(deps: BotDeps): Feature {
  const handlers = new Handlers();
  const allowed = requires('readLog');
  handlers.command('log', allowed, async (ctx) => void (await reply(ctx, ...render(deps, ctx))));
  // The entry before the page: nothing that is done meanwhile shifts it.
  handlers.callbackQuery(/^log:(top|\d{1,15})$/, allowed, async (ctx) => {
    answerTap(ctx);
    await editHtml(ctx, ...render(deps, ctx, ctx.match[1] === 'top' ? undefined : Number(ctx.match[1])));
  });
  return { commands: [{ name: 'log', for: 'readLog' }], handlers };
}

function render(deps: BotDeps, ctx: BotContext, before?: number): [html: string, keyboard?: InlineKeyboard] {
  const { entries, hasMore } = deps.core.readAuditLog(actorOf(ctx), { before, limit: PAGE_SIZE });
  const [newest, oldest] = [entries[0], entries.at(-1)];
  if (!newest) return [ctx.say('log-empty')];
  const timeZone = zoneOf(deps, ctx.actor);
  const title = ctx.say('log-title', { zone: describeOffset(timeZone, newest.at) });
  const keyboard = new InlineKeyboard();
  if (before !== undefined) keyboard.text(ctx.label('batches-newest'), 'log:top');
  addPages(keyboard, ctx, { next: hasMore && oldest && `log:${oldest.id}` });
  const lines = entries.map((entry) => wordEntry(ctx, entry, timeZone));
  return [[title, ...lines].join('\n\n'), keyboard];
}

function wordEntry(ctx: BotContext, entry: AuditEntry, timeZone: string): string {
  const { what, at, door, actorLabel } = entry;
  const act = ctx.say(`log-${toKeyPart(what)}`, {
    ...describe(ctx, entry, timeZone),
  });
  const who = actorLabel ? labelActor(ctx.label, actorLabel) : ctx.label(`log-by-${door}`);
  return ctx.say('log-line', { when: formatShort(ctx.language, at, timeZone), who, door }) + act;
}

/** What its words may hold: numbers and names, `was` and `is` of what has changed. */
function describe(ctx: BotContext, entry: AuditEntry, timeZone: string): Variables {
  const { object, before, after, person, reason } = entry;
  const facts = { ...before, ...after };
  const { role = '', name: called, asOf, stoppedAt, until, count, days, amount } = facts;
  const moment = (ms: string | number | undefined) =>
    typeof ms === 'number' ? formatMoment(ctx.language, ms, timeZone) : '';
  return {
    count: typeof count === 'number' ? count : 0,
    days: typeof days === 'number' ? days : 0,
    // What would be grouped is told as it is.
    amount: amount === undefined ? 0 : String(amount),
    denomination: String(facts.denomination ?? ''),
    game: String(facts.gameId ?? ''),
    currency: String(facts.currency ?? ''),
    key: String(facts.key ?? ''),
    host: String(facts.host ?? ''),
    browser: String(facts.browser ?? ''),
    of: object?.split(':')[0] ?? '',
    number: object?.split(':')[1] ?? '',
    person: person ? labelActor(ctx.label, person) : '',
    role: role === '' ? '' : ctx.label(`role-${role}`),
    called: called === undefined ? '' : name(String(called)),
    was: wordValue(before?.name ?? before?.zone ?? before?.threshold ?? before?.platform),
    is: wordValue(after?.name ?? after?.zone ?? after?.threshold ?? after?.platform),
    since: moment(asOf ?? stoppedAt),
    until: moment(until),
    outcome: String(facts.outcome ?? ''),
    reason: name(reason ?? '', LONGEST_REASON),
  };
}

const wordValue = (value: string | number | undefined): string =>
  value === undefined ? '—' : name(String(value));

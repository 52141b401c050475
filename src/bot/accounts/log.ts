// /log: who has done what in the account, newest first, a page at a time.
import { InlineKeyboard } from 'grammy';

import type { AuditEntry } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { labelActor } from '../actor-label.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { describeOffset, formatMoment, formatShort, zoneOf } from '../moments.ts';
import { addPages } from '../prompts/paging-keyboard.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { name, type Variables } from '../texts.ts';

const PAGE_SIZE = 10;

export function createLog(deps: BotDeps): Feature {
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
  const act = ctx.say(`log-${what.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, {
    ...describe(ctx, entry, timeZone),
  });
  const who = actorLabel ? labelActor(ctx.label, actorLabel) : ctx.label(`log-by-${door}`);
  return ctx.say('log-line', { when: formatShort(ctx.language, at, timeZone), who, door }) + act;
}

/** What its words may hold: numbers and names, `was` and `is` of what has changed. */
function describe(ctx: BotContext, entry: AuditEntry, timeZone: string): Variables {
  const { object, before, after, person } = entry;
  const { role = '', name: called, asOf, stoppedAt, until } = { ...before, ...after };
  const moment = (ms: string | number | undefined) =>
    typeof ms === 'number' ? formatMoment(ctx.language, ms, timeZone) : '';
  const word = (value: string | number | undefined) => wordValue(value);
  return {
    ...{ count: 0, days: 0, game: '', denomination: '', amount: 0, currency: '', key: '', host: '' },
    ...numbersOf({ ...before, ...after }),
    number: object?.split(':')[1] ?? '',
    person: person ? labelActor(ctx.label, person) : '',
    role: role === '' ? '' : ctx.label(`role-${role}`),
    called: called === undefined ? '' : name(String(called)),
    was: word(before?.name ?? before?.zone ?? before?.threshold ?? before?.platform),
    is: word(after?.name ?? after?.zone ?? after?.threshold ?? after?.platform),
    since: moment(asOf ?? stoppedAt),
    until: moment(until),
  };
}

const wordValue = (value: string | number | undefined): string =>
  value === undefined ? '—' : name(String(value));

/** As they are, but for what would be grouped. */
function numbersOf({ gameId, denomination, count, days, amount, ...rest }: Variables): Variables {
  return {
    ...(typeof count === 'number' && { count }),
    ...(typeof days === 'number' && { days }),
    ...(gameId !== undefined && { game: String(gameId) }),
    ...(denomination !== undefined && { denomination: String(denomination) }),
    ...(amount !== undefined && { amount: String(amount) }),
    ...Object.fromEntries(
      ['currency', 'key', 'host'].flatMap((each) =>
        rest[each] === undefined ? [] : [[each, String(rest[each])]],
      ),
    ),
  };
}

// /log: who has done what in the account, newest first, a page at a time.
import { InlineKeyboard } from 'grammy';

import { formatAct, type ActorLabel, type AuditEntry } from '../../core/index.ts';
import { labelActor } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, wholeNumber, type Feature } from '../feature.ts';
import { describeOffset, formatShort, zoneOf } from '../moments.ts';
import { addPages } from '../prompts/paging-keyboard.ts';
import { editHtml, reply } from '../replies.ts';
import { name } from '../texts.ts';

const PAGE_SIZE = 10;

export const createLogFeature = (deps: BotDeps): Feature => ({
  commands: { log: { needs: 'readLog', run: (ctx) => reply(ctx, ...render(deps, ctx)) } },
  // The entry before the page: nothing that is done meanwhile shifts it.
  buttons: {
    'log:top': button('readLog', [], (ctx) => editHtml(ctx, ...render(deps, ctx))),
    log: button('readLog', [wholeNumber()], (ctx, before) => editHtml(ctx, ...render(deps, ctx, before))),
  },
});

function render(deps: BotDeps, ctx: BotContext, before?: number): [html: string, keyboard?: InlineKeyboard] {
  const { entries, hasMore } = deps.core.readAuditLog(actorOf(ctx), { before, limit: PAGE_SIZE });
  const [newest, oldest] = [entries[0], entries.at(-1)];
  if (!newest) return [ctx.say('log-empty')];
  const timeZone = zoneOf(deps, ctx.actor);
  const title = ctx.say('log-title', { zone: describeOffset(timeZone, newest.at) });
  const keyboard = new InlineKeyboard();
  if (before !== undefined) keyboard.text(ctx.label('batches-newest'), 'log:top');
  addPages(keyboard, ctx, { next: hasMore && oldest && `log:${oldest.id}` });
  const lines = entries.map((entry) => formatEntry(ctx, entry, timeZone));
  return [[title, ...lines].join('\n\n'), keyboard];
}

function formatEntry(ctx: BotContext, entry: AuditEntry, timeZone: string): string {
  const { at, door, actorLabel } = entry;
  const { language, say, label } = ctx;
  const person = (whose: ActorLabel) => labelActor(label, whose);
  const role = (each: string) => label(`role-${each}`);
  const act = formatAct(entry, { language, timeZone, say, person, role, name });
  const who = actorLabel ? person(actorLabel) : label(`log-by-${door}`);
  return say('log-line', { when: formatShort(language, at, timeZone), who, door }) + act;
}

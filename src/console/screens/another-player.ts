// What is missing of an order, for another player: the ID is typed, the platform names the player, and the order is
// placed once that is confirmed, however often its page is sent.
import { html } from 'hono/html';

import { readPlayerId, type OrderEntry, type OrderRecord } from '../../core/index.ts';
import { ConsoleProblem, goTo, memberOf, type Html, type ScreenContext } from '../context.ts';
import { confirmation } from '../parts/acts.ts';
import { form, hidden, textField } from '../parts/form.ts';
import { labelAmount, link } from '../parts/labels.ts';
import { page } from '../parts/page.ts';

type Entry = Extract<OrderEntry, { denomination: number }>;

/** How an order stood when the page was made. */
export const seenIn = ({ field }: ScreenContext) => (field('seen') === '' ? undefined : field('seen'));

/** By its player, where it may be seen. */
export function linkTo({ core, ...context }: ScreenContext, name: string): Html {
  const { playerId, playerName = '' } = core.orders.find(memberOf(context), name) ?? {};
  return link(`/orders/${name}`, html`<code>${playerId ?? name}</code> ${playerName}`);
}

/** By denomination; a code that was given is with whoever gave it. */
export const missingOf = ({ missing = [] }: OrderRecord): Entry[] =>
  missing.flatMap((each) => ('denomination' in each ? [each] : []));

const formatEntries = (context: ScreenContext, { gameId }: OrderRecord, entries: readonly Entry[]): string =>
  entries
    .map(({ denomination, count }) => `${labelAmount(context, gameId, denomination)} × ${count}`)
    .join(', ');

/** Throws ConsoleProblem 409 where nothing is missing that could be ordered. */
function requireMissing(order: OrderRecord): Entry[] {
  const entries = missingOf(order);
  if (order.endedAt === undefined || entries.length === 0) throw new ConsoleProblem(409, 'meanwhile');
  return entries;
}

export function askPlayer(context: ScreenContext, order: OrderRecord): Html {
  const { t } = context;
  const what = formatEntries(context, order, requireMissing(order));
  const body = html`<p>${t('another-what', { what })}</p>
    ${warnOfReplaced(context, order)} ${playerForm(context, order.playerId)}`;
  return page(context, { title: t('order-another'), body });
}

/** Of one page: what is sent with it once is the same however often it is sent. */
export interface TypedPlayer {
  once: string;
  playerId: string;
}

/** Where an ID is typed. */
export function playerForm({ t, ids, field: typed, path }: ScreenContext, known = ''): Html {
  const field = textField({
    ...{ name: 'player', label: t('orders-player'), hint: t('another-hint') },
    ...{ value: typed('player') || known, maxlength: 40, required: true },
  });
  return form(
    path,
    html`${hidden({ once: ids.uuid() })} ${field} <button class="main">${t('another-look')}</button>`,
  );
}

/** What that form has sent. Throws ConsoleProblem. */
export function readPlayer({ field }: ScreenContext): TypedPlayer {
  const once = field('once').slice(0, 60);
  const playerId = readPlayerId(field('player'));
  if (once === '') throw new ConsoleProblem(400, 'bad-form');
  if (playerId === undefined) throw refusalOf('notFound');
  return { once, playerId };
}

/** What the platform calls them, '' where it knows no names: the same page again asks for nothing. Throws ConsoleProblem. */
export async function lookUp(
  context: ScreenContext,
  gameId: string,
  { once, playerId }: TypedPlayer,
): Promise<string> {
  const key = { scope: 'page', key: `look:${once}:${playerId}` } as const;
  const found = await context.core.findCharacter(memberOf(context), { gameId, playerId }, key);
  if (found.status !== 'found' && found.status !== 'notOffered') throw refusalOf(found.status);
  return found.status === 'found' ? found.name : '';
}

export async function orderForPlayer(context: ScreenContext, order: OrderRecord): Promise<Html | Response> {
  const asked = { order, entries: requireMissing(order), ...readPlayer(context) };
  return context.field('sure') === 'yes' ? place(context, asked) : confirm(context, asked);
}

interface Asked extends TypedPlayer {
  order: OrderRecord;
  entries: Entry[];
}

async function confirm(context: ScreenContext, { order, entries, once, playerId }: Asked): Promise<Html> {
  const { t } = context;
  const name = await lookUp(context, order.gameId, { once, playerId });
  const what = formatEntries(context, order, entries);
  const count = entries.reduce((sum, each) => sum + each.count, 0);
  return confirmation(context, {
    fields: { once, player: playerId, name, seen: order.standing },
    text: t(name === '' ? 'another-sure-nameless' : 'another-sure', { name, player: playerId, what, count }),
    ...{ label: t('another-order'), back: `/orders/${order.id}` },
    more: html`${warnOfReplaced(context, order)} ${warnOfDuplicates(context, { order, entries, playerId })}`,
  });
}

/** As which order it went on already: a page that was made before that is asked with it once more. */
const warnOfReplaced = (context: ScreenContext, { replacedBy }: OrderRecord): Html | '' =>
  replacedBy === undefined
    ? ''
    : html`<p class="hint">${context.t('another-twice')}</p>
        <p>${context.t('order-replaced')}: ${linkTo(context, replacedBy)}</p>`;

/** What the same player has just got, or has under way. */
function warnOfDuplicates(
  context: ScreenContext,
  { order: { gameId }, entries, playerId }: Pick<Asked, 'order' | 'entries' | 'playerId'>,
): Html | '' {
  const { core, t } = context;
  const actor = memberOf(context);
  const recent = entries.filter(({ denomination }) =>
    core.findRecentDuplicate(actor, { gameId, playerId, denomination }),
  );
  if (recent.length === 0) return '';
  const what = recent.map(({ denomination }) => labelAmount(context, gameId, denomination)).join(', ');
  return html`<p class="hint"><strong>${t('another-again', { what })}</strong></p>`;
}

async function place(context: ScreenContext, asked: Asked): Promise<Html | Response> {
  const { core, field } = context;
  const { order, entries, once, playerId } = asked;
  const { gameId, reference } = order;
  const playerName = field('name').slice(0, 200);
  const answer = await core.orders.place(memberOf(context), {
    ...{ gameId, playerId, items: entries, onShortage: 'refuse', onBadCode: 'stop' },
    ...(playerName !== '' && { playerName }),
    reference,
    insteadOf: { id: order.id, seen: seenIn(context) },
    idempotencyKey: { scope: 'page', key: `another:${order.id}:${once}` },
  });
  if (answer.status === 'notStopped') throw new ConsoleProblem(409, 'meanwhile');
  if (answer.status === 'replaced') {
    const now = core.orders.find(memberOf(context), order.id) ?? order;
    return confirm(context, { ...asked, order: now, entries: requireMissing(now) });
  }
  if (answer.status !== 'placed') throw refusalOf(answer.status);
  return goTo(context, `/orders/${answer.order.id}`, 'order-placed');
}

const STATUSES: Record<string, ConsoleProblem['status']> = {
  notFound: 404,
  unreachable: 503,
  quotaExceeded: 429,
  tooManyBadRequests: 429,
  tooManyOrders: 429,
};

/** `problem-another-<status>` of the locales. */
const refusalOf = (status: string): ConsoleProblem =>
  new ConsoleProblem(STATUSES[status] ?? 409, `another-${status}`);

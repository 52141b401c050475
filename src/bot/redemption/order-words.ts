// An order of several codes in words: how far it is, a line a code, what it waits for; in the end what became of each,
// why it stopped, and what is left.
import { InlineKeyboard } from 'grammy';

import { grantOf, type Game, type MemberActor, type OrderItem, type OrderRecord } from '../../core/index.ts';
import type { OrderItemRecord, OrderOfPress } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { keyOfStop, wayOutKey } from '../errors.ts';
import type { Shown } from '../outgoing.ts';
import { countLeft } from '../receipts/show-receipt.ts';
import { name, toKeyPart, type Language } from '../texts.ts';
import { formatItems, type DraftLine } from './draft.ts';

/** What the buttons of its message begin with. */
export const STOP = 'order-stop';
export const REDEEM_REST = 'order-rest';
export const AGAIN = 'order-again';
export const LOGINS = 'order-logins';
export const CUSTOMER = 'order-buyer';
export const CUSTOMERS = 'order-buyers';

type Deps = Pick<BotDeps, 'core' | 'texts'>;
type Say = (key: string, variables?: Record<string, string | number>) => string;

const MARKS: Partial<Record<OrderItemRecord['state'], string>> = {
  redeemed: '✅',
  failed: '❌',
  inDoubt: '❔',
  running: '⏳',
};

export const isOver = ({ order }: OrderOfPress): boolean => order.endedAt !== undefined;

/** While something of it goes on. */
export function renderUnderWay(
  { core, texts }: Deps,
  orders: readonly OrderOfPress[],
  language: Language,
): Required<Shown> {
  const say: Say = (key, variables) => texts.say(language, key, variables);
  const open = orders.filter((each) => !isOver(each));
  const goesOn = open.filter(({ isStopping }) => !isStopping);
  const waits = new Set(open.flatMap(({ order }) => order.waitsFor ?? []));
  const html = [
    say(goesOn.length > 0 ? 'order-running' : 'order-stopping', variablesOf(orders)),
    ...renderItems({ core, say }, orders),
    ...(waits.size > 0 ? [''] : []),
    ...[...waits].map((what) => say(`order-waits-${what}`)),
  ].join('\n');
  const keyboard = new InlineKeyboard();
  if (goesOn.length > 0)
    keyboard.text(texts.label(language, 'button-stop'), `${STOP}:${orders[0]?.order.id}`);
  return { html, keyboard };
}

/** How it ended. */
export function renderEnd(
  { core, texts }: Deps,
  orders: readonly OrderOfPress[],
  { actor, language }: { actor: MemberActor; language: Language },
): Required<Shown> {
  const say: Say = (key, variables) => texts.say(language, key, variables);
  const records = orders.map(({ order }) => order);
  const [first] = records;
  const game = core.games.find(first?.gameId ?? '');
  const left = records.map(leftOf);
  const redeemed = countUp(records.flatMap(redeemedOf));
  const leftInStock = redeemed.flatMap(({ denomination }) => {
    const count = countLeft(core, actor, { gameId: first?.gameId ?? '', denomination, state: 'redeemed' });
    return count === undefined ? [] : [{ what: formatItems([{ denomination, count: 1 }], game), count }];
  });
  const missing = formatAllItems({ say }, left, game);
  const html = [
    say(records.every(({ state }) => state === 'done') ? 'order-done' : 'order-stopped', variablesOf(orders)),
    ...(core.health.isSandbox ? [say('receipt-sandbox')] : []),
    ...renderItems({ core, say }, orders),
    ...warnOfUnsure({ core, actor, say }, records),
    ...(leftInStock.length > 0 ? [''] : []),
    ...leftInStock.map((each) => say('receipt-left', each)),
    ...formatStopReasons({ actor, say }, records),
    ...(missing === '' ? [] : [say('order-left', { what: missing })]),
  ].join('\n');
  return { html, keyboard: keyboardOf({ texts, actor, language }, orders) };
}

function keyboardOf(
  { texts, actor, language }: { texts: BotDeps['texts']; actor: MemberActor; language: Language },
  orders: readonly OrderOfPress[],
): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  const [first] = orders;
  if (!first || grantOf(actor, 'redeem') === 'no') return keyboard;
  const { id } = first.order;
  const label = (key: string, facts = {}) => texts.label(language, key, facts);
  if (orders.some(({ order }) => order.redeemed.codes > 0))
    keyboard
      .text(label('button-order-logins'), `${LOGINS}:${id}`)
      .text(label('button-for-customer'), `${CUSTOMERS}:${id}`)
      .row();
  if (orders.some(({ order }) => order.missing !== undefined))
    return keyboard.text(label('button-order-rest'), `${REDEEM_REST}:${id}`);
  const { players, ...facts } = variablesOf(orders);
  return keyboard.text(label(players > 1 ? 'button-again-all' : 'button-again', facts), `${AGAIN}:${id}`);
}

/** What is redeemed and not known whole: a person has to look. */
function warnOfUnsure(
  { core, actor, say }: { core: Deps['core']; actor: MemberActor; say: Say },
  orders: readonly OrderRecord[],
): string[] {
  const ids = orders.flatMap(({ items }) => items.flatMap(({ redemptionId = [] }) => redemptionId));
  const unsure = ids.filter((id) => core.receipts.find(actor, id)?.warning === true);
  return unsure.flatMap((id) => ['', say('receipt-warning', { id: String(id) })]);
}

/** Why it stopped, each reason once. */
export function formatStopReasons(
  { actor, say }: { actor: MemberActor; say: Say },
  orders: readonly OrderRecord[],
): string[] {
  const reasons = new Set(
    orders.flatMap(({ state, reason }) => (state === 'cancelled' ? ['cancelled'] : (reason ?? []))),
  );
  if (reasons.size === 0) return [];
  const keys = [...reasons].map((reason) => wayOutKey({ actor }, keyOfStop(reason)));
  return ['', ...keys.map((key) => say(key))];
}

/** A line a code; of several players those of each under the name. */
export function renderItems(
  { core, say }: { core: Deps['core']; say: Say },
  orders: readonly OrderOfPress[],
): string[] {
  return orders.flatMap(({ order }) => [
    ...(orders.length > 1 ? ['', say('order-player', nameOf(order))] : []),
    ...order.items.map((item) => renderItem(say, item, core.games.find(order.gameId))),
  ]);
}

function renderItem(say: Say, item: OrderItemRecord, game: Game | undefined): string {
  const { n, denomination, state, redemptionId } = item;
  const what =
    denomination === undefined
      ? say('order-given-code', { n })
      : formatItems([{ denomination, count: 1 }], game);
  const wasTried = redemptionId !== undefined && state !== 'waiting';
  const mark = MARKS[state] ?? (wasTried ? '❌' : '▫️');
  return wasTried ? `${mark} ${what} · /receipt_${redemptionId}` : `${mark} ${what}`;
}

/** For whom, and how far it is. */
export function variablesOf(orders: readonly OrderOfPress[]) {
  const count = (of: (order: OrderRecord) => number) =>
    orders.reduce((total, { order }) => total + of(order), 0);
  const [done, all] = [count(({ redeemed }) => redeemed.codes), count(({ wanted }) => wanted.codes)];
  return { ...nameOf(orders[0]?.order), players: orders.length, done, all };
}

export function nameOf(order?: Pick<OrderRecord, 'playerId' | 'playerName'>): {
  name: string;
  player: string;
} {
  return { name: name(order?.playerName ?? order?.playerId ?? ''), player: order?.playerId ?? '' };
}

/** What is missing of one that has ended, to be ordered once more. */
export function leftOf({ playerId, playerName = playerId, missing = [] }: OrderRecord): DraftLine {
  const items = missing.flatMap((each) => ('n' in each ? [] : [each]));
  const given = missing.length - items.length;
  return { playerId, name: playerName, items, ...(given > 0 && { given }) };
}

/** All that was wanted by denomination. */
export function wantedOf({ playerId, playerName = playerId, items }: OrderRecord): DraftLine {
  const wanted = items.flatMap(({ denomination }) => (denomination === undefined ? [] : [{ denomination }]));
  return { playerId, name: playerName, items: countUp(wanted) };
}

function redeemedOf({ items }: OrderRecord): { denomination: number }[] {
  return items.flatMap(({ state, denomination }) =>
    state === 'redeemed' && denomination !== undefined ? [{ denomination }] : [],
  );
}

export function countUp(items: readonly { denomination: number }[]): OrderItem[] {
  const counts = new Map<number, number>();
  for (const { denomination } of items) counts.set(denomination, (counts.get(denomination) ?? 0) + 1);
  return [...counts].map(([denomination, count]) => ({ denomination, count }));
}

/** `60 UC × 2, 1 code that was sent`: of all lines together. */
export function formatAllItems(
  { say }: { say: Say },
  lines: readonly DraftLine[],
  game: Game | undefined,
): string {
  const items = lines.flatMap((line) => line.items);
  const each = items.flatMap(({ denomination, count }) =>
    Array.from({ length: count }, () => ({ denomination })),
  );
  const given = lines.reduce((total, line) => total + (line.given ?? 0), 0);
  const words = formatItems(countUp(each), game);
  return [words, ...(given > 0 ? [say('order-given', { count: given })] : [])]
    .filter((part) => part !== '')
    .join(', ');
}

/** Of what it waits for, or how it ended. */
export const stateKey = ({ state, waitsFor }: OrderRecord): string =>
  `orders-state-${toKeyPart(waitsFor ?? state)}`;

/** What is said of orders that are stopped; `open`: those that had no end. */
export function stopKey(open: readonly OrderOfPress[]): string {
  if (open.length === 0) return 'order-over-tap';
  return open.some(({ order }) => order.state === 'running') ? 'order-stop-tap' : 'order-stopped-tap';
}

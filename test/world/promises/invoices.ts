// What an order over HTTP promises to the program that placed it: one invoice is one order, what it says is what its
// codes have come to, no code more is spent for it, and an end of it is an end.
import type { Statement } from 'better-sqlite3';

import type { WireOrder } from '../../../src/wire/orders.ts';
import type { Delivered } from '../machine/receivers.ts';
import { look, newestOf } from '../run/rest.ts';
import type { World } from '../run/world.ts';

/** An order as its program knows it. */
export interface Invoice {
  by: string;
  account: number;
  key: string;
  /** Nobody else's. */
  playerId: string;
  body: object & { reference: string };
  at: number;
  /** How many codes, or what sum. */
  wanted: { codes?: number; amount?: number };
  /** As it is called, once that was told. */
  id: string | undefined;
  last: WireOrder | undefined;
  /** Nothing of this run begins after this redemption. */
  cancelled: { run: number; after: number } | undefined;
}

const ENDED = new Set(['done', 'stopped', 'cancelled']);
const OPEN = `
  select r.id from orders o join redemptions r on r.account_id = o.account_id and r.player_id = o.player_id
  where o.name = ? and o.run = ? and r.settled_at is null and r.actor not like 'member:%'`;

/** What is read of an order is of it, is in itself so, and goes on from what was read before it was asked for. */
export function hearOrder(
  world: World,
  invoice: Invoice,
  told: WireOrder,
  earlier: WireOrder | undefined,
): void {
  const { diary, disk } = world;
  const wrong = [...judgeOf(invoice, told), ...judgeItself(told), ...judgeAfter(earlier, told)];
  if (told.endedAt !== undefined) {
    const open = look(disk.databasePath(), (file) => file.prepare(OPEN).pluck().get(told.id, told.run)) as
      number | undefined;
    if (open !== undefined) wrong.push(`it has ended, and its redemption ${open} is open`);
  }
  const name = `${invoice.by}, ${invoice.key}, ${told.id}`;
  diary.notice(...wrong.map((what) => `${name}: ${what}: ${JSON.stringify(told)}`));
  Object.assign(invoice, { id: told.id, last: told });
}

function judgeOf({ id, playerId, body, wanted }: Invoice, told: WireOrder): string[] {
  const isOurs = told.playerId === playerId && told.reference === body.reference;
  const isAsked =
    (wanted.codes === undefined || wanted.codes === told.wanted.codes) &&
    (wanted.amount === undefined || wanted.amount === told.wanted.amount);
  return [
    ...(isOurs && (id === undefined || id === told.id) ? [] : ['it is another order']),
    ...(isAsked ? [] : ['it wants something else']),
  ];
}

const countMissing = ({ missing = [] }: WireOrder): number =>
  missing.reduce((sum, each) => sum + ('n' in each ? 1 : each.count), 0);

function judgeItself(told: WireOrder): string[] {
  const count = (...states: string[]) => told.items.filter(({ state }) => states.includes(state)).length;
  const hasEnded = ENDED.has(told.state);
  const facts: [boolean, string][] = [
    [hasEnded === (told.endedAt !== undefined), 'an end without an end'],
    [!hasEnded || told.open + count('waiting', 'running', 'inDoubt') === 0, 'an end while something is open'],
    [told.items.length === told.wanted.codes, 'a code without a place'],
    [told.redeemed.codes === count('redeemed'), 'other codes are redeemed than it says'],
    [(told.state === 'done') <= (told.redeemed.codes === told.wanted.codes), 'done without all'],
    [
      !hasEnded || countMissing(told) === told.wanted.codes - told.redeemed.codes,
      'it does not say what is missing',
    ],
    [(told.state === 'waiting') === (told.waitsFor !== undefined), 'it waits for nothing'],
    [(told.state === 'stopped') === (told.reason !== undefined), 'it stopped for no reason'],
  ];
  return facts.flatMap(([holds, what]) => (holds ? [] : [what]));
}

function judgeAfter(earlier: WireOrder | undefined, told: WireOrder): string[] {
  if (!earlier || told.run > earlier.run) return [];
  const end = ({ state, endedAt, redeemed, missing }: WireOrder) =>
    JSON.stringify([state, endedAt, redeemed, missing]);
  if (told.run < earlier.run || told.redeemed.codes < earlier.redeemed.codes) return ['it has gone back'];
  return earlier.endedAt !== undefined && end(earlier) !== end(told) ? ['it has changed after its end'] : [];
}

/** What was cancelled holds no promise from its answer on, and begins nothing. */
export function noteCancelled(world: World, invoice: Invoice, { id, run }: WireOrder): void {
  const held = look(world.disk.databasePath(), (file) => file.prepare(HELD).pluck().get(id, run)) as number;
  if (held > 0) world.diary.notice(`${id} is cancelled, and ${held} codes are promised to it`);
  invoice.cancelled = { run, after: newestOf(world, 'redemptions') };
}

const HELD = `
  select count(*) from orders o join order_items i on i.order_id = o.id where o.name = ? and o.run = ? and i.promised > 0`;

interface Row {
  id: number;
  name: string;
  run: number;
  endedAt: number | null;
  codes: number;
  tries: number;
  redeemed: number;
  isOfPeople: number;
}

const ROWS = `
  select o.id, o.name, o.run, o.ended_at as endedAt, count(*) as codes, sum(i.tries) as tries,
    sum(coalesce(r.state, '') = 'redeemed') as redeemed, o.actor like 'member:%' as isOfPeople
  from orders o join order_items i on i.order_id = o.id left join redemptions r on r.id = i.redemption_id
  where o.account_id = ? and o.player_id = ? group by o.id`;
const BEGUN = `
  select id, error_code as errorCode, doubted_at as doubtedAt from redemptions
  where account_id = ? and player_id = ? and actor not like 'member:%' order by id`;
/** Somebody in the chat redeems for one of the last players, or has the order go on themselves. */
const BY_PEOPLE = `
  select a.reference from attempts a join redemptions r on r.id = a.redemption_id
  where r.account_id = ? and r.player_id = ? and r.actor like 'member:%'`;

export function anOrderIsWhatWasSpentForIt({ disk, diary, platform }: World): string[] {
  const spent = Map.groupBy(
    [...platform.spent.values()].filter(({ reference }) => reference !== undefined),
    ({ playerId }) => playerId,
  );
  return look(disk.databasePath(), (file) => {
    const [rows, begun, byPeople] = [ROWS, BEGUN, BY_PEOPLE].map((sql) => file.prepare(sql)) as [
      Statement,
      Statement,
      Statement,
    ];
    return diary.invoices.flatMap((invoice) => {
      const { account, playerId, key } = invoice;
      const [order, second] = rows.all(account, playerId) as Row[];
      if (second) return [`${key} for ${playerId} is ${order?.name}, and ${second.name}`];
      if (!order) return invoice.id === undefined ? [] : [`${invoice.id} is not there any more`];
      const steps = begun.all(account, playerId) as Step[];
      if (order.isOfPeople === 1) return [];
      const others = new Set(byPeople.pluck().all(account, playerId));
      const count = (spent.get(playerId) ?? []).filter(({ reference }) => !others.has(reference)).length;
      return [...judgeSpent(order, count), ...judgeSteps(invoice, order, steps)];
    });
  });
}

interface Step {
  id: number;
  errorCode: string | null;
  doubtedAt: number | null;
}

function judgeSpent({ name, endedAt, codes, redeemed }: Row, spent: number): string[] {
  if (spent > codes) return [`${name} wants ${codes} codes, and ${spent} are spent for it`];
  return endedAt === null || spent === redeemed
    ? []
    : [`${name} has ended with ${redeemed} codes, and ${spent} are spent for it`];
}

const BAD = new Set(['CODE_USED', 'INVALID_CODE']);

function judgeSteps({ cancelled }: Invoice, { name, run, tries }: Row, steps: readonly Step[]): string[] {
  const last = steps.at(-1);
  const wrong: string[] = [];
  if (steps.length !== tries)
    wrong.push(`${name} has begun ${tries} redemptions, and ${steps.length} are there`);
  if (last && cancelled?.run === run && last.id > cancelled.after)
    wrong.push(`${name} was cancelled, and redemption ${last.id} of it began`);
  const bad = steps.find(({ errorCode, doubtedAt }) => doubtedAt !== null && BAD.has(errorCode ?? ''));
  if (run === 1 && bad && bad !== last)
    wrong.push(`${name} went on after redemption ${bad.id}, whose doubt ended as ${bad.errorCode}`);
  return wrong;
}

/** The end of an order is told to its own, under its own number, and says what its program reads of it. */
export function judgeOrderMessage(
  { diary }: World,
  { id: message, body }: Delivered,
  owner: number | undefined,
): string[] {
  const { data } = JSON.parse(body) as { data: WireOrder & { idempotencyKey?: string } };
  const invoice = diary.invoices.find(({ id }) => id === data.id);
  const wrong = judgeItself(data);
  if (data.endedAt === undefined) wrong.push('it has no end');
  if (invoice && invoice.account !== owner) wrong.push('it is told to another account');
  if (invoice && data.idempotencyKey !== invoice.key) wrong.push(`it was placed under ${invoice.key}`);
  return wrong.map((what) => `${message}: ${what}: ${body}`);
}

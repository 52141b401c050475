// Every redemption that is settled is told to the programs of its own account, once, signed, without a secret, and to
// nobody else's; however often their receivers failed.
import { createHmac } from 'node:crypto';

import type { Delivered } from '../machine/receivers.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { judgeOrderMessage } from './invoices.ts';
import { judgeName } from './message-names.ts';

interface Row {
  id: number;
  accountId: number;
  playerId: string;
  state: string;
}

interface Told {
  type: string;
  data: {
    type?: string;
    id?: number;
    playerId?: string;
    idempotencyKey?: string;
    available?: number;
    threshold?: number;
  };
}

/** What was sent before may come after. */
const UNDER_WAY_MS = 60_000;
/** After the longest deafness (20 hours) there may still be a long pause (8 hours). */
const PATIENCE_MS = 34 * 60 * 60_000;
/** Whoever was deaf so shortly before may have been so twice in a row: that is waited for, and judged tomorrow. */
const LISTENS_MS = 14 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const SECRET = /\b(?:9|60|325|660)S[A-Za-z0-9]{11,14}\b|topup\.[0-9a-f]{10}@|"password"/;
const ROW = 'select id, account_id as accountId, player_id as playerId, state from redemptions where id = ?';
/** One of a code that was under way is settled with the one that was first, however long that takes. */
const SETTLED = `
  select id, account_id as accountId from redemptions where actor <> 'lost' and settled_at > ? and settled_at <= ?
    and (first_id is null or error_code <> 'UNKNOWN')`;

/** Of everything that was ever told: by which message, and what it said. */
const messageOf = new WeakMap<World['receivers'], Map<string, string>>();
/** What a receiver said it has. */
const takenOf = new WeakMap<World['receivers'], Set<string>>();
const bodyOf = new WeakMap<World['receivers'], Map<string, string>>();

const ownerOf = ({ shops, receivers }: World, path: string) => {
  const shop = shops.find(({ hook }) => hook === path);
  const extra = receivers.extra.get(path);
  // Registered, and its secret never heard.
  return shop || extra ? { shop, extra } : undefined;
};

export const everyMessageIsSignedAndTellsNoSecret = (world: World): string[] =>
  world.receivers.delivered.flatMap((delivered) => {
    const owner = ownerOf(world, delivered.path);
    return owner ? judgeForm(delivered, owner.shop?.hookSecret ?? owner.extra?.secret ?? '') : [];
  });

/** By the path and how much is used: by which message it was told last, and when. */
const quotaOf = new WeakMap<World['receivers'], Map<string, string>>();

export function whatIsUsedOfADayIsToldOnceByWebhook(world: World): string[] {
  const { receivers } = world;
  const known = quotaOf.get(receivers) ?? new Map<string, string>();
  quotaOf.set(receivers, known);
  return receivers.delivered
    .filter(({ path, body }) => ownerOf(world, path) && (JSON.parse(body) as Told).type === 'quota.used')
    .flatMap((delivered) => judgeNotice(known, delivered));
}

export function webhooksTellTheTruthToTheirOwn(world: World): string[] {
  const { disk, receivers, diary } = world;
  const [messages, bodies] = [messageOf, bodyOf].map((all) => {
    const known = all.get(receivers) ?? new Map<string, string>();
    all.set(receivers, known);
    return known;
  }) as [Map<string, string>, Map<string, string>];
  return look(disk.databasePath(), (file) => {
    const find = file.prepare(ROW);
    return receivers.delivered.flatMap((delivered) => {
      const { shop, extra } = ownerOf(world, delivered.path) ?? {};
      const owner = shop?.accountId ?? extra?.accountId;
      if (owner === undefined) return [];
      const wrong: string[] = [];
      const { type, data } = JSON.parse(delivered.body) as Told;
      if (extra && type !== 'webhook.test' && !extra.events.has(type))
        wrong.push(`${delivered.path} is told of ${type}, and did not ask for it`);
      if (delivered.at > (extra?.removedAt ?? Infinity) + UNDER_WAY_MS)
        wrong.push(`${delivered.path} was taken away, and is told of ${type}`);
      const { available, threshold } = data;
      if (type === 'stock.low' && !(available! < threshold!))
        wrong.push(`${delivered.id} tells of a low stock: ${available} of ${threshold}`);
      if ((type === 'stock.out' && available !== 0) || (type === 'stock.back' && !(available! > 0)))
        wrong.push(`${delivered.id} tells ${type} of a stock of ${available}`);
      const known = bodies.get(delivered.id);
      if (known !== undefined && known !== delivered.body) wrong.push(`${delivered.id} says two things`);
      bodies.set(delivered.id, delivered.body);
      if (type === 'order.settled') wrong.push(...judgeOrderMessage(world, delivered, owner));
      if (type !== 'redemption.settled') return wrong;
      const key = `${delivered.path} ${data.id}`;
      const earlier = messages.get(key);
      if (earlier !== undefined && earlier !== delivered.id)
        wrong.push(`redemption ${data.id} is told by ${earlier} and by ${delivered.id}`);
      messages.set(key, delivered.id);
      wrong.push(...judgeName(world, delivered, data.id ?? 0));
      const row = find.get(data.id) as Row | undefined;
      if (!row) return [...wrong, `redemption ${data.id} is told, and not in the books`];
      if (row.accountId !== owner)
        wrong.push(`redemption ${data.id} of account ${row.accountId} is told at ${delivered.path}`);
      const wish = diary.wishes.find(
        ({ account, answers }) => account === owner && answers.some(({ id }) => id === data.id),
      );
      // It is what the program knows its order by.
      if (shop && wish?.key !== undefined && data.idempotencyKey !== wish.key)
        wrong.push(
          `redemption ${data.id} is told under ${data.idempotencyKey}, and was ordered under ${wish.key}`,
        );
      const state = data.type === 'ActivationReceipt' ? 'redeemed' : 'failed';
      if (row.state !== state || row.playerId !== data.playerId)
        wrong.push(`redemption ${data.id} is told as ${state} for ${data.playerId}, and is ${row.state}`);
      return wrong;
    });
  });
}

/** Of the quota people and programs are told once in a day. */
function judgeNotice(messages: Map<string, string>, { path, id, body }: Delivered): string[] {
  const { timestamp, data } = JSON.parse(body) as { timestamp: string; data: { percent: number } };
  const key = `${path} ${data.percent} %`;
  const [earlier, at = ''] = messages.get(key)?.split(' ') ?? [];
  messages.set(key, `${id} ${timestamp}`);
  const apartMs = Math.abs(Date.parse(timestamp) - Date.parse(at));
  return earlier !== undefined && earlier !== id && apartMs < DAY_MS
    ? [`${path} is told twice within a day that ${data.percent} % are used`]
    : [];
}

export function everySettledRedemptionIsToldByWebhook({ disk, receivers, shops, time }: World): string[] {
  const told = takenOf.get(receivers) ?? new Set<string>();
  takenOf.set(receivers, told);
  for (const { path, body, isTaken } of receivers.delivered) {
    const { type, data } = JSON.parse(body) as Told;
    if (isTaken && type === 'redemption.settled') told.add(`${path} ${data.id}`);
  }
  const until = time.clock.now() - PATIENCE_MS;
  const rows = look(disk.databasePath(), (file) =>
    file.prepare(SETTLED).all(until - 2 * DAY_MS, until),
  ) as Pick<Row, 'id' | 'accountId'>[];
  return rows.flatMap(({ id, accountId }) => {
    const shop = shops.find((each) => each.accountId === accountId);
    // Deaf once more right after it was deaf: waited for, and judged tomorrow.
    const deafUntil = receivers.moods.get(shop?.hook ?? '')?.until ?? 0;
    if (deafUntil > time.clock.now() - LISTENS_MS) return [];
    return !shop || told.has(`${shop.hook} ${id}`)
      ? []
      : [`redemption ${id} is settled for days, and ${shop.hook} was never told`];
  });
}

function judgeForm({ id, timestamp, signature, body }: Delivered, secret: string): string[] {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const right = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const wrong: string[] = [];
  if (signature !== `v1,${right}`) wrong.push(`the message ${id} is not signed by its secret`);
  if (SECRET.test(body)) wrong.push(`the message ${id} tells a secret: ${body}`);
  return wrong;
}

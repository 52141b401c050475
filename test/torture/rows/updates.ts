// Row 6: people of one account paste, redeem, set and look up in the chat while each of their updates is delivered up
// to five times and the service is killed. Each effect once, none lost: what was said, the database and the platform's
// own book are held against each other.
import { query, readBooks } from '../books.ts';
import { createTalker, makeMembers, longestWaitMs, openChat, type Chat } from '../chat.ts';
import { answers, chooseAction, type Actor, type Scene } from '../chat-actions.ts';
import { deliverByPolling, deliverByWebhook, type Delivery } from '../delivery.ts';
import { merge, type Findings, type TortureOptions } from '../findings.ts';
import { keepKilling, type Kills } from '../kills.ts';
import { createSeeded } from '../../harness/seeded.ts';
import { openShop, type Shop } from '../shop.ts';

const UPDATES_A_SHOP = 500;
const CAST = 12;
const MOST_TIMES = 5;
/** Of 60 nobody sets a threshold: its stock would be low, and told. */
const DENOMINATIONS = [325, 660, 1800, 3850, 8100];
const STOCK = { '60S': 90, GARBLED: 4, TIMEOUT: 4 };
/** What is handled at the end, after the last repeat was handed over. */
const SETTLE_MS = 1_000;

/** At least `count` updates, each delivered from one to five times; by webhook and by polling in turn. */
export async function repeatUpdates({ count, seed, tell }: TortureOptions): Promise<Findings> {
  let findings: Findings = { tried: { updates: 0 }, violations: [] };
  for (let round = 0; (findings.tried.updates ?? 0) < count; round += 1) {
    const wanted = Math.min(UPDATES_A_SHOP, count - (findings.tried.updates ?? 0));
    const found = await repeatInOneShop(seed + round, wanted);
    findings = merge(findings, found);
    tell?.([JSON.stringify(findings.tried), ...found.violations].join('\n'));
  }
  return findings;
}

async function repeatInOneShop(seed: number, wanted: number): Promise<Findings> {
  const violations: string[] = [];
  const chat = await openChat();
  const deliver = seed % 2 === 0 ? deliverByWebhook : deliverByPolling;
  const delivery = await deliver({ api: chat.api, seeded: createSeeded(seed + 1), most: MOST_TIMES });
  const shop = await openShop(seed, { ...chat.env, ...delivery.env });
  delivery.follow(shop.service().url);
  // On a slow machine it lasts longer than until the first kill.
  const cast = await hire(shop, chat, seed);
  const kills = keepKilling(shop, {
    everyMs: { least: 900, most: 3_000 },
    onStart: delivery.follow,
    longestWaitMs: () => longestWaitMs(chat.api),
  });
  const tried = { updates: 0, deliveries: 0, kills: 0, points: 0, redemptions: 0, pastes: 0 };
  try {
    const killsSince = (from: number) => kills.between(from, performance.now());
    const scene: Scene = { killsSince, violate: (what) => void violations.push(what) };
    // However fast the machine is: at least one kill is among them.
    const isEnough = () => chat.api.updates().length >= wanted && kills.count() > 0;
    await Promise.all(cast.map((actor) => live(actor, scene, isEnough)));
    await kills.stop();
    await delivery.quiet();
    await waitUntilHandled(shop, violations);
    violations.push(...(await compare(shop, chat, cast, kills)));
    tried.updates = chat.api.updates().length;
    tried.deliveries = delivery.handedOver();
    tried.kills = kills.count();
    tried.points = kills.reached.size;
    tried.redemptions = cast.reduce((sum, { orders }) => sum + orders.length, 0);
    tried.pastes = cast.reduce((sum, { batches }) => sum + batches.length, 0);
  } finally {
    await end(shop, chat, delivery, kills);
  }
  return { tried, violations: violations.map((violation) => `seed ${seed}: ${violation}`) };
}

async function end(shop: Shop, chat: Chat, delivery: Delivery, kills: Kills): Promise<void> {
  await kills.stop().catch(() => undefined);
  await shop.close();
  await delivery.close();
  await chat.close();
}

async function hire(shop: Shop, { api }: Chat, seed: number): Promise<Actor[]> {
  await shop.stock(
    60,
    Array.from({ length: 400 }, () => shop.seeded.weigh(STOCK)),
  );
  const talkers = Array.from({ length: CAST }, (_, index) => createTalker(api, `Admin ${index}`));
  await makeMembers(shop.folder, shop.account.accountId, 'admin', talkers);
  return talkers.map((talker, index) => ({
    talker,
    seeded: createSeeded(seed * 1_000 + index),
    denomination: DENOMINATIONS[index],
    asked: [],
    orders: [],
    batches: [],
    cancelled: [],
    lastPasted: 0,
    threshold: undefined,
    muted: undefined,
  }));
}

async function live(actor: Actor, scene: Scene, isEnough: () => boolean): Promise<void> {
  const violate = (what: string) => scene.violate(`${actor.talker.user.first_name}: ${what}`);
  while (!isEnough()) await chooseAction(actor.seeded)(actor, { ...scene, violate });
}

async function waitUntilHandled(shop: Shop, violations: string[]): Promise<void> {
  const until = performance.now() + 60_000;
  const waits = () => countInbox(shop).waiting !== undefined || countUnsaid(shop) > 0;
  while (waits() && performance.now() < until) await pause(100);
  await pause(SETTLE_MS);
  for (const [state, count] of Object.entries(countInbox(shop))) {
    if (state !== 'done') violations.push(`${count} updates are ${state} at the end`);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function compare(shop: Shop, chat: Chat, cast: readonly Actor[], kills: Kills): Promise<string[]> {
  const batches = cast.flatMap((actor) => actor.batches);
  // An undone code is in the database, too.
  shop.added.push(...batches.flatMap(({ codes }) => codes));
  return [
    ...(await shop.audit()),
    ...compareInbox(shop, chat),
    ...compareBatches(shop, cast),
    ...compareRedemptions(shop, cast),
    ...compareSettings(shop, cast),
    ...cast.flatMap((actor) => compareWords(actor, kills)),
  ];
}

function compareBatches(shop: Shop, cast: readonly Actor[]): string[] {
  const { codes } = readBooks(shop.folder);
  const told = cast.flatMap(({ batches }) => batches);
  const violations: string[] = [];
  const kept = query(shop.folder, `select count(*) as count from batches where actor like 'member:%'`) as {
    count: number;
  }[];
  if (kept[0]?.count !== told.length)
    violations.push(`${told.length} batches were told, ${kept[0]?.count} are kept`);
  if (new Set(told.map(({ batch }) => batch)).size !== told.length) violations.push('a batch was told twice');
  for (const { batch, codes: own, undone } of told) {
    const wrong = own.filter((code) => undone && codes.get(code) === 'available');
    if (wrong.length > 0)
      violations.push(`batch ${batch} is undone, and ${wrong.length} of its codes are there`);
    const lost = own.filter((code) => !undone && codes.get(code) === 'undone');
    if (lost.length > 0)
      violations.push(`batch ${batch} was not undone, and ${lost.length} of its codes are gone`);
  }
  const back = cast.flatMap(({ cancelled }) => cancelled).filter((code) => codes.has(code));
  return [...violations, ...back.map((code) => `${code} was cancelled and is in the database`)];
}

function compareRedemptions(shop: Shop, cast: readonly Actor[]): string[] {
  const { orders, redemptions } = readBooks(shop.folder);
  const ordersOf = Map.groupBy(orders, ({ playerId }) => playerId);
  const rowsOf = Map.groupBy(redemptions, ({ playerId }) => playerId);
  return cast.flatMap(({ orders: pressed }) =>
    pressed.flatMap(({ playerId, end: told, receipt }) => {
      const rows = rowsOf.get(playerId) ?? [];
      const bought = ordersOf.get(playerId)?.length ?? 0;
      const [row] = rows;
      const same = rows.length === 1 && row?.id === receipt && row.state === told;
      const spent = told === 'redeemed';
      if (same && bought === Number(spent) && row.charged === spent) return [];
      return [`${playerId}: ${told}, receipt ${receipt}, ${bought} orders, ${JSON.stringify(rows)}`];
    }),
  );
}

function compareSettings(shop: Shop, cast: readonly Actor[]): string[] {
  const alerts = query(shop.folder, 'select denomination, threshold from stock_alerts') as {
    denomination: number;
    threshold: number;
  }[];
  const choices = query(shop.folder, 'select telegram_id as id, muted_notices as muted from preferences') as {
    id: number;
    muted: string;
  }[];
  return cast.flatMap(({ talker, denomination, threshold, muted }) => {
    const set = alerts.find((row) => row.denomination === denomination)?.threshold;
    const chosen = choices.find((row) => row.id === talker.user.id)?.muted.includes('subscriptionEnds');
    const who = talker.user.first_name;
    return [
      ...(threshold === undefined || set === threshold
        ? []
        : [`${who}: threshold ${set}, told ${threshold}`]),
      ...(muted === undefined || (chosen ?? false) === muted
        ? []
        : [`${who}: muted ${chosen}, told ${muted}`]),
    ];
  });
}

/** Killed before it could write down that it had answered, it answers again. */
const JUST_AFTER_MS = 1_500;

/** Every word once: answers as often as asked, and one message for each receipt and each batch. */
function compareWords({ talker, asked, orders, batches }: Actor, kills: Kills): string[] {
  const messages = talker.read();
  const violations: string[] = [];
  for (const [lookUp, all] of Map.groupBy(asked, (one) => one.lookUp)) {
    const times = all.length;
    const excused = all.reduce((sum, { from, to }) => sum + kills.between(from, to + JUST_AFTER_MS), 0);
    const told = messages.filter((message) => answers(lookUp, message)).length;
    if (told < times || told > times + excused)
      violations.push(`${lookUp} was asked ${times} times and answered ${told} times, ${excused} kills`);
  }
  let again = 0;
  for (const { receipt } of orders) {
    const told = messages.filter(({ text }) => new RegExp(`receipt ${receipt}\\n`).test(text)).length;
    if (told === 0) violations.push(`receipt ${receipt} is told nowhere`);
    again += Math.max(0, told - 1);
  }
  // A doubt that settles out of sight is told anew: killed before it could write that down, it is told once more.
  if (again > kills.count())
    violations.push(`receipts are told again ${again} times, ${kills.count()} kills`);
  for (const { batch, undone } of batches) {
    const own = messages.filter(({ text }) => new RegExp(`^Batch ${batch}[: ]`).test(text));
    const files = own.filter(({ document }) => document !== undefined).length;
    const told = own.length - files;
    // What an undo took back comes as a file in the stead of the words, which stay where Telegram did not delete them;
    // killed before it could write down that it had sent it, it sends it again.
    if (told > 1 || (told === 0 && !undone)) violations.push(`batch ${batch} is told in ${told} messages`);
    const most = undone ? 1 + kills.count() : 0;
    if (files < Number(undone) || files > most)
      violations.push(`of batch ${batch}, undone: ${undone}, ${files} files were sent`);
  }
  return violations.map((violation) => `${talker.user.first_name}: ${violation}`);
}

function compareInbox(shop: Shop, { api }: Chat): string[] {
  const rows = query(shop.folder, 'select update_id as id from inbox') as { id: number }[];
  const kept = new Set(rows.map(({ id }) => id));
  const lost = api.updates().filter(({ update_id: id }) => !kept.has(id));
  return lost.map((update) => `update ${update.update_id} never arrived`);
}

function countUnsaid(shop: Shop): number {
  const rows = query(shop.folder, `select count(*) as count from tasks where run_at is not null`);
  return (rows as { count: number }[])[0]?.count ?? 0;
}

function countInbox(shop: Shop): Record<string, number> {
  const rows = query(shop.folder, 'select state, count(*) as count from inbox group by state');
  return Object.fromEntries(
    (rows as { state: string; count: number }[]).map(({ state, count }) => [state, count]),
  );
}

// Row 6: people of one account paste, redeem, set and look up in the chat while each of their updates is delivered up
// to five times and the service is killed. Each effect once, none lost: what was said, the database and the platform's
// own book are held against each other.
import { createSeeded } from '../../harness/seeded.ts';
import { countRows, query, readBooks } from '../books.ts';
import { createTalker, makeMembers, type Chat } from '../chat.ts';
import { answers, chooseAction, type Actor } from '../chat-actions.ts';
import { count, inParts, type Findings, type TortureOptions } from '../findings.ts';
import { playUnderKills, type Scene } from '../kills.ts';
import type { Shop } from '../shop.ts';

const UPDATES_A_SHOP = 500;
const CAST = 12;
const MOST_TIMES = 5;
/** Of 60 nobody sets a threshold: its stock would be low, and told. */
const DENOMINATIONS = [325, 660, 1800, 3850, 8100];
const STOCK = { '60S': 90, GARBLED: 4, TIMEOUT: 4 };
/** Killed before it could write down that it had answered, it answers again. */
const JUST_AFTER_MS = 1_500;

/** At least `count` updates, each delivered from one to five times; by webhook and by polling in turn. */
export const repeatUpdates = (options: TortureOptions): Promise<Findings> =>
  inParts(options, { most: UPDATES_A_SHOP, of: 'updates' }, (wanted, seed) =>
    playUnderKills(seed, {
      most: MOST_TIMES,
      hire: (shop, chat) => hire(shop, chat, seed),
      // However fast the machine is: at least one kill is among them.
      live: (cast, scene) =>
        Promise.all(cast.map((actor) => live(actor, scene, () => isEnough(scene, wanted)))),
      compare,
    }),
  );

const isEnough = ({ chat, kills }: Scene, wanted: number) =>
  chat.api.updates().length >= wanted && kills() > 0;

async function hire(shop: Shop, { api }: Chat, seed: number): Promise<Actor[]> {
  await shop.stock(60, shop.seeded.draw(400, STOCK));
  const talkers = Array.from({ length: CAST }, (_, index) => createTalker(api, `Admin ${index}`));
  await makeMembers(shop.folder, shop.account.accountId, 'admin', talkers);
  return talkers.map((talker, index) => ({
    ...{ talker, seeded: createSeeded(seed * 1_000 + index), denomination: DENOMINATIONS[index] },
    ...{ asked: [], orders: [], batches: [], cancelled: [], lastPasted: 0 },
    ...{ threshold: undefined, muted: undefined },
  }));
}

async function live(actor: Actor, { shop, killsBetween }: Scene, isOver: () => boolean): Promise<void> {
  const violate = (what: string) => void shop.violations.push(`${actor.talker.user.first_name}: ${what}`);
  const killsSince = (from: number) => killsBetween(from, performance.now());
  while (!isOver()) await chooseAction(actor.seeded)(actor, { killsSince, violate });
}

async function compare(cast: readonly Actor[], scene: Scene): Promise<string[]> {
  const { shop, chat } = scene;
  const batches = cast.flatMap((actor) => actor.batches);
  // An undone code is in the database, too.
  shop.added.push(...batches.flatMap(({ codes }) => codes));
  count(shop, 'updates', chat.api.updates().length);
  count(shop, 'redemptions', cast.flatMap(({ orders }) => orders).length);
  count(shop, 'pastes', batches.length);
  const kept = new Set(
    (query(shop.folder, 'select update_id as id from inbox') as { id: number }[]).map(({ id }) => id),
  );
  const lost = chat.api.updates().filter(({ update_id: id }) => !kept.has(id));
  return [
    ...(await shop.audit()),
    ...lost.map((update) => `update ${update.update_id} never arrived`),
    ...compareBatches(shop, cast),
    ...compareRedemptions(shop, cast),
    ...compareSettings(shop, cast),
    ...cast.flatMap((actor) => compareWords(actor, scene)),
  ];
}

function compareBatches({ folder }: Shop, cast: readonly Actor[]): string[] {
  const { codes } = readBooks(folder);
  const told = cast.flatMap(({ batches }) => batches);
  const kept = countRows(folder, `batches where actor like 'member:%'`);
  const names = new Set(told.map(({ batch }) => batch));
  const wrong = told.flatMap(({ batch, codes: own, undone }) => {
    const those = own.filter((code) => codes.get(code) === (undone ? 'available' : 'undone'));
    return those.length > 0 ? [`batch ${batch}, undone: ${undone}: ${those.length} codes are otherwise`] : [];
  });
  const back = cast.flatMap(({ cancelled }) => cancelled).filter((code) => codes.has(code));
  return [
    ...(kept === told.length ? [] : [`${told.length} batches were told, ${kept} are kept`]),
    ...(names.size === told.length ? [] : ['a batch was told twice']),
    ...wrong,
    ...back.map((code) => `${code} was cancelled and is in the database`),
  ];
}

function compareRedemptions({ folder }: Shop, cast: readonly Actor[]): string[] {
  const { orders, redemptions } = readBooks(folder);
  const ordersOf = Map.groupBy(orders, ({ playerId }) => playerId);
  const rowsOf = Map.groupBy(redemptions, ({ playerId }) => playerId);
  return cast.flatMap(({ orders: pressed }) =>
    pressed.flatMap(({ playerId, end, receipt }) => {
      const rows = rowsOf.get(playerId) ?? [];
      const bought = ordersOf.get(playerId)?.length ?? 0;
      const [row] = rows;
      const same = rows.length === 1 && row?.id === receipt && row.state === end;
      const spent = end === 'redeemed';
      if (same && bought === Number(spent) && row.charged === spent) return [];
      return [`${playerId}: ${end}, receipt ${receipt}, ${bought} orders, ${JSON.stringify(rows)}`];
    }),
  );
}

function compareSettings({ folder }: Shop, cast: readonly Actor[]): string[] {
  const alerts = query(folder, 'select denomination, threshold from stock_alerts') as {
    denomination: number;
    threshold: number;
  }[];
  const choices = query(folder, 'select telegram_id as id, muted_notices as muted from preferences') as {
    id: number;
    muted: string;
  }[];
  return cast.flatMap(({ talker: { user }, denomination, threshold, muted }) => {
    const set = alerts.find((row) => row.denomination === denomination)?.threshold;
    const chosen = choices.find((row) => row.id === user.id)?.muted.includes('subscriptionEnds') ?? false;
    const isSet = threshold === undefined || set === threshold;
    const isChosen = muted === undefined || chosen === muted;
    return [
      ...(isSet ? [] : [`${user.first_name}: threshold ${set}, told ${threshold}`]),
      ...(isChosen ? [] : [`${user.first_name}: muted ${chosen}, told ${muted}`]),
    ];
  });
}

/** Every word once: answers as often as asked, and one message for each receipt and each batch. */
function compareWords({ talker, asked, orders, batches }: Actor, { kills, killsBetween }: Scene): string[] {
  const messages = talker.read();
  const violations: string[] = [];
  for (const [lookUp, all] of Map.groupBy(asked, (one) => one.lookUp)) {
    const times = all.length;
    const excused = all.reduce((sum, { from, to }) => sum + killsBetween(from, to + JUST_AFTER_MS), 0);
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
  if (again > kills()) violations.push(`receipts are told again ${again} times, ${kills()} kills`);
  for (const { batch, undone } of batches) {
    const own = messages.filter(({ text }) => new RegExp(`^Batch ${batch}[: ]`).test(text));
    const files = own.filter(({ document }) => document !== undefined).length;
    const told = own.length - files;
    // What an undo took back comes as a file in the stead of the words, which stay where Telegram did not delete them;
    // killed before it could write down that it had sent it, it sends it again.
    if (told > 1 || (told === 0 && !undone)) violations.push(`batch ${batch} is told in ${told} messages`);
    const most = undone ? 1 + kills() : 0;
    if (files < Number(undone) || files > most)
      violations.push(`of batch ${batch}, undone: ${undone}, ${files} files were sent`);
  }
  return violations.map((violation) => `${talker.user.first_name}: ${violation}`);
}

// The shop whose life is swept (sweep.ts): the service of the machine, one process after another over the same files, its
// owner, a host, strangers and a program. Whoever has no answer asks again, as people and published clients do: the same
// keys, the same buttons, and Telegram the same updates.
import type { Database, Statement } from 'better-sqlite3';

// Loaded before time is simulated: a module is read from the disk while timers strike.
import '../../../src/bot/index.ts';
import '../../../src/webhooks/attempt.ts';
import { createSeeded } from '../../harness/seeded.ts';
import type { SeenMessage, User } from '../../telegram/types.ts';
import { loadCatalogue } from '../machine/catalogue.ts';
import { createDisk, type Disk } from '../machine/disk.ts';
import { createPlatform, GOOD_MANNERS, type Manners, type SimulatedPlatform } from '../machine/platform.ts';
import { createReceivers, RECEIVER, type Receivers } from '../machine/receivers.ts';
import { createService, HOST_ID, KEY, type Service } from '../machine/service.ts';
import { createTelegram, type Telegram } from '../machine/telegram.ts';
import { beginTime, type Time } from '../machine/time.ts';
import { closeBooks, look } from '../run/rest.ts';

type Fits = (message: SeenMessage) => boolean;
type Label = string | RegExp;

/** In their private chat with the bot. */
export interface Person {
  user: User;
  /** Writes, and waits for a message of the bot's after it that fits. */
  asks(text: string, fits: Fits): Promise<SeenMessage>;
  /** Presses, again where nothing came of it, until a message fits: that one changed, or a later one. */
  presses(message: SeenMessage, label: Label, fits: Fits): Promise<SeenMessage>;
  /** A message of the bot's that fits, the newest. */
  sees(fits: Fits): Promise<SeenMessage>;
}

export interface Shop {
  time: Time;
  disk: Disk;
  telegram: Telegram;
  platform: SimulatedPlatform;
  service: Service;
  receivers: Receivers;
  owner: Person;
  host: Person;
  accountId: number;
  /** Somebody whom the bot does not know. */
  stranger(): Person;
  /** A name that nobody else has. */
  fresh(what: string): string;
  /** A player whom nobody else tops up, and how many codes they are to get. */
  player(codes: number): string;
  players: Map<string, number>;
  mint(denomination: number, count: number): string[];
  /** One that somebody has redeemed elsewhere, long ago. */
  usedCode(): string;
  /** Codes in somebody's hands, by what gave them to them. */
  handedOut: Map<string, string>;
  /** What was told of a redemption, and is not so. */
  untrue: string[];
  /** What was paid, and whether it was given back. */
  charges: Map<string, 'paid' | 'given back'>;
  /** The program's request (`/path`, or `DELETE /path`), under its key until it is answered for good. */
  program(path: string, body?: object, key?: string): Promise<{ status: number; json: Json }>;
  /** A page, or a form of it, of a browser that is sent again until it is answered: the text that it shows then. */
  browses(path: string, form?: Record<string, string>): Promise<string>;
  /** Once; undefined where no answer came. */
  sends(path: string, body?: object): Promise<{ status: number; json: Json } | undefined>;
  /** What it asked under a key, and was answered. */
  wishes: { path: string; body: object | undefined; key: string; status: number; json: Json }[];
  /** What the first order of this verb that reaches the platform meets. */
  meets(way: keyof Manners): void;
  /** Asked at each call to the platform, which it makes. */
  onPlatformCall: <T>(call: () => T) => T;
  /** Resolves once it holds, time passing. */
  until(holds: () => unknown, what: string): Promise<void>;
  books<T>(sql: string, ...values: unknown[]): T[];
  /** Lets time pass until this is done. */
  within<T>(work: Promise<T>): Promise<T>;
  /** Brings the stock to what a verb needs. */
  refill(): Promise<void>;
  /** Lets time pass until nothing waits; what still does after hours. */
  quiet(): Promise<string | undefined>;
  close(): Promise<void>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- verbs look into whatever was answered
type Json = any;

export const GAME = 'game_id_1';
const HOST = { kind: 'host', by: 'cli' } as const;
const WITHIN_MS = 6 * 60 * 60_000;
const PATIENCE_MS = 20 * 60_000;
const LOOK_MS = 200;
const PRESSED_AGAIN_MS = 40_000;
const REPEATED_MS = 2_000;
/** As often as the page of a link does by itself. */
const LOOK_AGAIN_MS = 5_000;
const SHELF = 12;
const LAST_MS = 1_000;
const LONG_AGO_MS = 3 * 60 * 60_000;

export async function openShop(seed: number): Promise<Shop> {
  const time = beginTime();
  const stream = (n: number) => createSeeded(seed * 10 + n);
  const [random, disk] = [stream(1), createDisk(KEY)];
  const telegram = createTelegram(time, stream(2), { networkMs: [1, 9], flood: 'none' });
  const platform = createPlatform(time, stream(3));
  const reachedBy = platform.reachedBy;
  platform.reachedBy = (life) => {
    const reached = reachedBy(life);
    return {
      ...reached,
      redeem: (order, options) => shop.onPlatformCall(() => reached.redeem(order, options)),
      findOrder: (order, options) => shop.onPlatformCall(() => reached.findOrder(order, options)),
      findCharacter: (asked, options) => shop.onPlatformCall(() => reached.findCharacter(asked, options)),
      findCode: (asked, options) => shop.onPlatformCall(() => reached.findCode(asked, options)),
    };
  };
  const games = loadCatalogue();
  const service = createService({ time, random: stream(4), disk, telegram, platform, games });
  const receivers = createReceivers(time, stream(5));
  const { api } = telegram;
  let [numbered, key] = [0, ''];

  async function until(holds: () => unknown, what: string): Promise<void> {
    for (const begun = time.clock.elapsed(); !holds();) {
      if (time.clock.elapsed() - begun > PATIENCE_MS) throw new Error(`it does not come: ${what}`);
      await time.sleep(LOOK_MS);
    }
  }

  const prepared = new WeakMap<Database, Map<string, Statement>>();
  const books = <T>(sql: string, ...values: unknown[]) =>
    look(disk.databasePath(), (file) => {
      const known = prepared.get(file) ?? new Map<string, Statement>();
      const statement = known.get(sql) ?? file.prepare(sql);
      prepared.set(file, known.set(sql, statement));
      return statement.all(...values) as T[];
    });

  async function sends(named: string, body?: object, idempotencyKey?: string) {
    const [method = 'GET', path = ''] = named.startsWith('/') ? [body && 'POST', named] : named.split(' ');
    const asked = await service.ask(path, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
    });
    if (asked === 'lost') return undefined;
    return { status: asked.status, json: (await asked.json().catch(() => undefined)) as Json };
  }

  async function program(path: string, body?: object, idempotencyKey?: string) {
    for (const begun = time.clock.elapsed(); ;) {
      const answer = await sends(path, body, idempotencyKey);
      const { status = 0, json } = answer ?? {};
      // What is told as failed has not been carried out.
      const isFree = json?.errorCode === 'NETWORK_ERROR' || json?.codeReset === true;
      if (isFree && [...platform.spent.values()].some((each) => each.playerId === json.playerId))
        shop.untrue.push(`${json.playerId} has a code, and was told ${json.errorCode}`);
      const isEnd = json?.settledAt !== undefined && json.errorCode !== 'NETWORK_ERROR';
      if (answer && (isEnd || (status < 500 && ![408, 429].includes(status)))) {
        if (idempotencyKey !== undefined) shop.wishes.push({ path, body, key: idempotencyKey, ...answer });
        return answer;
      }
      if (time.clock.elapsed() - begun > PATIENCE_MS)
        throw new Error(`${path} is never answered: ${status} ${JSON.stringify(json)}`);
      await time.sleep(REPEATED_MS);
    }
  }

  async function browses(path: string, form?: Record<string, string>): Promise<string> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const body = new URLSearchParams(form).toString();
    for (const begun = time.clock.elapsed(); ;) {
      const answer = await service.ask(path, form ? { method: 'POST', headers, body } : {});
      const to = answer === 'lost' ? null : answer.headers.get('location');
      // As a page says that nothing was begun.
      const isAgain = answer === 'lost' || answer.status >= 429 || /said=(busy|unreachable)/.test(to ?? '');
      if (!isAgain) return to === null ? answer.text() : browses(to);
      if (time.clock.elapsed() - begun > PATIENCE_MS) throw new Error('The page of a link is never shown.');
      await time.sleep(LOOK_AGAIN_MS);
    }
  }

  async function within<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const ended = work.finally(() => (isOver = true));
    ended.catch(() => undefined);
    if (!(await time.passUntil(() => isOver, WITHIN_MS))) throw new Error('it does not end.');
    return ended;
  }

  const mint = (denomination: number, count: number) =>
    Array.from({ length: count }, () => `${denomination}S${random.text(15 - String(denomination).length)}`);

  const shop: Shop = {
    ...{
      time,
      disk,
      telegram,
      platform,
      service,
      receivers,
      mint,
      until,
      books,
      within,
      program,
      browses,
      sends,
    },
    ...{ players: new Map(), handedOut: new Map(), charges: new Map(), wishes: [], untrue: [], accountId: 0 },
    owner: createPerson(telegram, until, { first_name: 'Owner' }),
    host: createPerson(telegram, until, { id: HOST_ID, first_name: 'Host' }),
    stranger: () => createPerson(telegram, until, { first_name: shop.fresh('Stranger') }),
    usedCode() {
      const [code = ''] = mint(60, 1);
      platform.redeemElsewhere(GAME, code, '51555555555', LONG_AGO_MS);
      return code;
    },
    fresh: (what) => `${what}-${(numbered += 1)}`,
    player(codes) {
      const id = String(51_000_000_000 + random.below(9e9));
      shop.players.set(id, codes);
      return id;
    },
    meets(way) {
      platform.manners = { ...GOOD_MANNERS, [way]: 1 };
      // What was asked about it before has been asked by now.
      platform.onOrder = (moment) => {
        if (moment === 'before') queueMicrotask(() => (platform.manners = GOOD_MANNERS));
      };
    },
    async refill() {
      const sql = "select count(*) as count from codes where state = 'available' and denomination = 60";
      const [{ count } = { count: 0 }] = books<{ count: number }>(sql);
      if (count >= SHELF / 2) return;
      await program(`/db?gameId=${GAME}`, [{ denomination: 60, codes: mint(60, SHELF) }]);
    },
    onPlatformCall: (call) => call(),
    quiet: () => becomesQuiet(shop),
    async close() {
      service.kill();
      // What modules have begun (turns.ts) comes to its end: the next shop shares them.
      await time.passUntil(() => false, LAST_MS);
      closeBooks();
      disk.remove();
      void api.close();
      time.end();
    },
  };
  const open = async () => {
    await service.start();
    const asked = { name: 'Shop', days: 3_000, purchased: 100_000 };
    const opened = await service.command((core) => core.accounts.create(HOST, asked));
    key = opened.apiKey;
    shop.accountId = opened.accountId;
    await welcome(shop);
  };
  await within(open());
  return shop;
}

/** The owner comes by the host's link; the program registers where it is told. */
async function welcome({ service, owner, host, accountId, telegram, program, refill }: Shop): Promise<void> {
  const invitation = await service.command((core) => core.members.inviteOwner(HOST, accountId, 'owner'));
  const { username } = telegram.api.bot;
  telegram.api.open(owner.user, `https://t.me/${username}?start=join_${invitation?.token}`);
  await owner.sees(({ text }) => /you are the owner/.test(text));
  await host.asks('/help', () => true);
  await program('/webhooks', { url: `${RECEIVER}/shop`, events: ['redemption.settled', 'order.settled'] });
  await refill();
}

function createPerson(
  { api }: Telegram,
  until: Shop['until'],
  { id, first_name }: { id?: number; first_name: string },
): Person {
  const user = api.createUser({ ...(id !== undefined && { id }), first_name, language_code: 'en' });
  const newest = (fits: Fits) =>
    api.messages(user, 12).findLast((each) => each.byBot && !each.deleted && fits(each));
  const onScreen = () =>
    api
      .messages(user, 4)
      .map(({ text, buttons }) => `${text.slice(0, 160)} [${buttons.map((one) => one.text).join('|')}]`)
      .join('\n');
  async function waitFor(fits: Fits, after: string, withinMs?: number): Promise<SeenMessage | undefined> {
    let [found, waited] = [newest(fits), 0];
    const holds = () => (found = newest(fits)) ?? ((waited += LOOK_MS) > (withinMs ?? Infinity) && 'late');
    await until(holds, '').catch((cause: unknown) => {
      throw new Error(`${first_name} is not told what they wait for after ${after}:\n${onScreen()}`, {
        cause,
      });
    });
    return found;
  }
  return {
    user,
    async asks(text, fits) {
      const { message } = api.sendLong(user, user, text).at(-1)!;
      return (await waitFor((each) => each.id > message.id && fits(each), text.slice(0, 80)))!;
    },
    async presses(message, label, fits) {
      const button = message.buttons.find(({ text }) =>
        typeof label === 'string' ? text === label : label.test(text),
      );
      if (!button) throw new Error(`there is no button ${String(label)}:\n${onScreen()}`);
      const isNew: Fits = (each) =>
        fits(each) && (each.id > message.id || (each.id === message.id && each.edits !== message.edits));
      for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += PRESSED_AGAIN_MS) {
        void api.press(user, message, { data: button.callback_data ?? '' });
        const found = await waitFor(isNew, button.text, PRESSED_AGAIN_MS);
        if (found) return found;
      }
      throw new Error(`nothing comes of ${button.text}:\n${onScreen()}`);
    },
    sees: async (fits) => (await waitFor(fits, 'all that was done'))!,
  };
}

const UNDONE = {
  'updates in the inbox': "inbox where state = 'waiting'",
  tasks: 'tasks where run_at is not null and (attempts > 0 or run_at <= queued_at)',
  'open redemptions': `redemptions where state = 'pending' or (state = 'in_doubt' and exists (select 1 from tasks where job_key = 'doubt:' || redemptions.id and run_at is not null))`,
  jobs: "jobs where state = 'running'",
  orders: "orders where state = 'running'",
  imports: "imports where state = 'committing'",
  'webhook deliveries': "webhook_deliveries where state = 'waiting'",
};
const QUIET_LOOKS = 400;
const SKIPPED_AFTER = 40;
const SKIPPED_MS = 60_000;

async function becomesQuiet(shop: Shop): Promise<string | undefined> {
  const { time, telegram, platform, service, books } = shop;
  const sql = `select ${Object.values(UNDONE)
    .map((from, n) => `(select count(*) from ${from}) as n${n}`)
    .join()}`;
  const findWaiting = () => {
    if (!service.isServing()) return 'no process';
    if (telegram.api.unconfirmed().length > 0) return 'updates at Telegram';
    const counts = Object.values(books<Record<string, number>>(sql)[0] ?? {});
    const what = Object.keys(UNDONE).find((_, n) => counts[n] !== 0);
    return what ?? (telegram.underWay() + platform.underWay() > 0 ? 'calls' : undefined);
  };
  let waiting = findWaiting();
  for (let looks = 0; waiting !== undefined && looks < QUIET_LOOKS; looks += 1) {
    await time.passUntil(() => false, LOOK_MS);
    if (looks > SKIPPED_AFTER && looks % 4 === 0) time.skip(SKIPPED_MS);
    waiting = findWaiting();
  }
  return waiting;
}

// A local stand-in for Telegram's Bot API over HTTP, strict where Telegram is strict, with people at the other end.
// It serves the tests and the playground, on loopback only; it is no Telegram client and knows no bot in particular.
import { systemClock, type Clock } from '../../src/clock.ts';
import { answerCall, type BotApiResponse, type BotApiRequest } from './answering.ts';
import { createCalls, type Call, type Calls, type FloodOptions } from './calls.ts';
import { createFaults, type Faults } from './faults.ts';
import { createMessageMethods, type Method } from './messages.ts';
import { createParams } from './params.ts';
import { realPause, type Pause } from './pause.ts';
import { createStarPayments, type PaymentOverrides, type PaymentResult, type Payments } from './payments.ts';
import { createPeople, forwarded, type People } from './people.ts';
import { seen } from './render.ts';
import { createApiServer } from './server.ts';
import { createBotProfile, type MenuCommand } from './settings.ts';
import { createTaps, type Taps } from './taps.ts';
import type { ChatRef, SeenMessage, StoredMessage, Update, User, WorldEvent } from './types.ts';
import { createUpdateQueue, type UpdateQueue } from './updates.ts';
import { createWorld, type World } from './world.ts';

export interface BotApiOptions extends FloodOptions {
  token: string;
  /** For dates and for how long queries stay open. */
  clock?: Clock;
  username?: string;
  queryLifetimeMs?: number;
  /** Between deliveries to a webhook, and before a conflict that is told late. */
  pause?: Pause;
  /**
   * Plays api.telegram.org, which takes webhooks at https and a few ports alone; else a Bot API server of one's own.
   */
  official?: boolean;
  /** What updates, messages and payments are counted from, where a bot remembers those of an earlier stand-in. */
  firstNumber?: number;
}

export interface BotApi extends People {
  bot: User & { username: string };
  faults: Faults;
  /** While true, every connection is broken. */
  down: boolean;
  /** While true, the token is unknown, as after @BotFather revoked it: every call and every file is a 401. */
  revoked: boolean;
  listen(port?: number): Promise<{ url: string; port: number }>;
  /** Answers a request in this process, as the socket would. */
  answer(asked: BotApiRequest): Promise<BotApiResponse>;
  close(): Promise<void>;
  press: Taps['press'];
  /**
   * Pays; a forwarded invoice with a start parameter opens the bot instead (`opened`). `error` is what the person
   * reads.
   */
  pay(
    user: User,
    invoice: SeenMessage,
    overrides?: PaymentOverrides,
  ): Promise<PaymentResult | { ok: false; opened: true }>;
  /** Gives Stars back without the bot, as Telegram's own support does. */
  refund: Payments['refund'];
  /** A message as it arrives where somebody forwards it, outside the bot's sight. */
  forwarded(message: SeenMessage): SeenMessage;
  /** Follows a link to the bot (`t.me/<bot>?start=…`), as a button or a person does. */
  open(user: User, link: string): void;
  /** Every message of the chat as it stands, deleted ones marked; or the `newest` of them. */
  messages(chat: ChatRef, newest?: number): SeenMessage[];
  /** The person clears the history of the private chat, on both sides; nobody tells the bot. */
  clear(user: User): void;
  menu(user: User, chat?: ChatRef): MenuCommand[];
  calls(method?: string): Call[];
  updates(): readonly Update[];
  unconfirmed(): Update[];
  deliver(update: Update): void;
  redeliver(updateId: number): void;
  /** As if a week had passed without updates: the next has this number, or any. */
  countFrom(next?: number): void;
  /** Resolves with the first truthy answer of `predicate`, asked whenever something happens. Rejects after the time. */
  waitFor<T>(predicate: () => T | undefined | false | null, timeoutMs?: number, what?: string): Promise<T>;
  watch(watcher: (event: WorldEvent) => void): () => void;
}

/** A Bot API with one bot and nobody in it yet. */
export function createBotApi(options: BotApiOptions): BotApi {
  const world = createWorld(options.clock ?? systemClock, botOf(options), options.firstNumber);
  const faults = createFaults();
  let down = false;
  let revoked = false;
  const updates = createQueue(options, world, (method, payload) => {
    calls.call(method, createParams(payload), never).catch(() => undefined);
  });
  const taps = createTaps(world, updates, options.queryLifetimeMs ?? 15_000);
  const payments = createStarPayments(world, updates);
  const settings = createBotProfile(world);
  const people = createPeople(world, updates);
  const { getUpdates, setWebhook, deleteWebhook, getWebhookInfo } = updates;
  const ofUpdates = { getUpdates, setWebhook, deleteWebhook, getWebhookInfo };
  const groups = [ofUpdates, createMessageMethods(world), taps.methods, payments.methods, settings.methods];
  const calls = createCalls(world, Object.assign({}, ...groups) as Record<string, Method>, options);
  const answering = {
    token: options.token,
    isDown: () => down,
    isRevoked: () => revoked,
    takeFault: faults.take,
    call: calls.call,
    findFile: (path: string) => [...world.files.values()].find((file) => file.path === path)?.bytes,
  };
  const server = createApiServer(answering);

  return {
    ...people,
    ...viewOf(world, updates, calls),
    bot: world.bot,
    faults,
    get down() {
      return down;
    },
    set down(value) {
      down = value;
      if (value) server.cutAll();
    },
    get revoked() {
      return revoked;
    },
    set revoked(value) {
      revoked = value;
      if (value) updates.interrupt();
    },
    listen: (port = 0) => server.listen(port),
    answer: (asked) => answerCall(answering, asked),
    close() {
      updates.close();
      return server.close();
    },
    press: taps.press,
    pay: (user, invoice, overrides) => pay(people, payments, user, invoice, overrides),
    refund: payments.refund,
    open: (user, link) => open(world, people, user, link),
    menu: (user, chat = user) => settings.menu(user.id, world.getChat(chat)),
  };
}

function createQueue(
  { firstNumber = 0, pause = realPause, official = false }: BotApiOptions,
  world: World,
  onWebhookReply: (method: string, payload: Record<string, unknown>) => void,
): UpdateQueue {
  const onUpdate = (update: Update) => world.emit({ kind: 'update', detail: update });
  return createUpdateQueue({ clock: world.clock, firstNumber, pause, official, onWebhookReply, onUpdate });
}

function viewOf(world: World, updates: UpdateQueue, calls: Calls) {
  return {
    forwarded: (message: SeenMessage) => forwarded(message, world.bot),
    messages: (chat: ChatRef, newest = Infinity) => world.getChat(chat).messages.slice(-newest).map(seen),
    clear: (user: User) => world.getChat(user).messages.forEach((message) => deleteFor(world, user, message)),
    calls: (method?: string) => calls.log.filter((one) => method === undefined || one.method === method),
    updates: updates.all,
    unconfirmed: updates.waiting,
    deliver: updates.deliver,
    redeliver: updates.redeliver,
    countFrom: updates.countFrom,
    waitFor: <T>(
      predicate: () => T | undefined | false | null,
      timeoutMs = 5000,
      what = 'what was waited for',
    ) => waitFor(world, predicate, timeoutMs, what),
    watch: world.watch,
  };
}

function open(world: World, people: People, user: User, link: string): void {
  const start = new RegExp(`t\\.me/${world.bot.username}\\?start=([A-Za-z0-9_-]{1,64})$`).exec(link)?.[1];
  if (!start) throw new Error(`${link} does not lead to the bot`);
  people.send(user, user, { start });
}

async function pay(
  people: People,
  payments: Payments,
  ...[user, invoice, overrides]: Parameters<BotApi['pay']>
): ReturnType<BotApi['pay']> {
  const isForwarded = invoice.forwardedFrom !== undefined;
  const parameter = isForwarded ? (invoice.invoice?.startParameter ?? '') : '';
  if (parameter === '') return payments.pay(user, invoice, overrides);
  people.send(user, user, { start: parameter });
  return { ok: false, opened: true };
}

const never = new AbortController().signal;

function botOf(options: BotApiOptions): World['bot'] {
  const id = Number(/^\d+/.exec(options.token)?.[0] ?? 1);
  return { id, is_bot: true, first_name: 'Redemption', username: options.username ?? 'redemption_test_bot' };
}

function waitFor<T>(
  world: World,
  predicate: () => T | undefined | false | null,
  timeoutMs: number,
  what: string,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const ask = (): void => {
      try {
        const found = predicate();
        if (found) settle(() => resolve(found));
      } catch (error) {
        settle(() => reject(error instanceof Error ? error : new Error(String(error))));
      }
    };
    const settle = (then: () => void) => {
      clearTimeout(timer);
      unwatch();
      then();
    };
    const timer = setTimeout(
      () => settle(() => reject(new Error(`${what} did not come in ${timeoutMs} ms`))),
      timeoutMs,
    );
    const unwatch = world.watch(ask);
    ask();
  });
}

function deleteFor(world: World, { id: chatId }: User, message: StoredMessage): void {
  if (message.deleted) return;
  message.deleted = true;
  world.emit({ kind: 'deleted', chatId, messageId: message.id });
}

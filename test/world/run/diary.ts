// What people did and were told: written while it happens, judged at the end of a day (promises/).
import { AsyncLocalStorage } from 'node:async_hooks';

import type { HostAlert, Role } from '../../../src/core/index.ts';
import type { WrittenNotice } from '../audit/notices.ts';
import type { Invoice } from '../promises/invoices.ts';
import type { SoldLink } from '../promises/links.ts';
import type { Takeover } from '../promises/takeovers.ts';
import type { Told } from '../promises/truth.ts';
import type { User } from '../../telegram/types.ts';

/** A pressed button. */
export interface Order {
  /** `look` where it is none: a button that leads somewhere. */
  kind: string;
  user: User;
  /** The message under which it stood, with its words as they were. */
  messageId: number;
  asked: string;
  /** What the button sends, and what stands on it. */
  data: string;
  label: string;
  updateId: number;
  queryId: string;
  /** What the bot answered to the tap, if it said anything there. */
  answer: string | undefined;
  at: number;
}

export interface Question {
  user: User;
  text: string;
  updateId: number;
  messageId: number;
  at: number;
  /** It was answered while they waited: its message may have changed since. */
  isAnswered: boolean;
}

/** `asked` and `told` are places in the order of all that was. */
interface Answer {
  status: number;
  id: number | undefined;
  errorCode: string | undefined;
  asked: number;
  told: number;
}

/** What a program wants, and what it was answered. */
export interface Wish {
  by: string;
  at: number;
  account: number;
  key: string | undefined;
  /** Nobody else's. */
  playerId: string;
  body: object;
  answers: Answer[];
  /** How often no answer came. */
  lost: number;
}

export interface Extraction {
  by: string;
  key: string;
  body: { denomination: number; amount: number };
  at: number;
  /** undefined: no answer came. */
  codes: readonly string[] | undefined;
}

interface Paid {
  user: User;
  chargeId: string;
  updateId: number;
  at: number;
  isHeardToday: boolean;
  refundedAt?: number;
}

/** Everything but `paid`, `invoices`, `links`, `handedOut` and `steps` is of one day. */
export interface Diary {
  taps: Order[];
  questions: Question[];
  /** What was sent in place of somebody else's button: whoever was asked something has left that. */
  forged: { user: { id: number } }[];
  wishes: Wish[];
  /** Charges that Telegram took. */
  paid: Paid[];
  /** Look-ups of codes by programs: from when to when, and how they were answered (0: not at all). */
  lookUps: { account: number; from: number; to: number; status: number }[];
  /** What people asked for one right after the other, and how either answer reads. */
  inOrder: { chatId: number; first: RegExp; second: RegExp }[];
  /**
   * Chats that were closed to the bot after an order, and when they were open again: what was ordered is owed there.
   */
  closed: { id: number; from: number; openedAt: number }[];
  /** Notices that somebody was to be told together, by what they name. */
  crowds: { user: User; at: number; hosts: readonly string[] }[];
  /** Messages of which Telegram has said that they are gone: `<chat>:<message>`. */
  gone: Set<string>;
  /** Extractions of programs, by their keys, and what they were given. */
  extractions: Extraction[];
  /** Orders of programs over HTTP, of the last days. */
  invoices: Invoice[];
  /** Links that were sold. */
  links: SoldLink[];
  /** Machines that were lost today, and what went on around it. */
  takeovers: Takeover[];
  /** Who was given a role today, removed (no role) or taken in, as far as anybody ordered it. */
  staffing: {
    id: number;
    role: Role | undefined;
    accountId?: number;
    isDone?: boolean;
    at?: number;
  }[];
  /** Who let paused denominations go on, and who had refused codes tried again, by their Telegram ids. */
  wentOn: { userId: number; at: number }[];
  triedAgain: Set<number>;
  /**
   * Codes in somebody's hands outside the service, by their hashes, and by what they came there; and what came there
   * twice.
   */
  handedOut: Map<string, { code: string; by: string }>;
  twice: string[];
  /** Told of every order that is pressed, in that moment. */
  onOrder: () => void;
  /** What buttons of orders would send, the last of them last. */
  buttons: string[];
  /** For whom a receipt was, by its number. */
  numbers: Map<number, string>;
  /** Codes of which somebody was told, after an answer that was lost, that they are not redeemed. */
  believed: { gameId: string; code: string; playerId: string }[];
  /** Redemptions as programs read them. */
  told: Told[];
  /** What people noticed by themselves. */
  amiss: string[];
  /** They note it; who was in the middle of something when a past was lost has to begin anew, and notes nothing. */
  notice(...what: string[]): void;
  /** What is done within it is of the past in which it begins. */
  during<T>(work: () => T): T;
  /** Another one is put in place: whatever people remember of what they did is of no use. */
  loseThePast(): void;
  /** What people remember, by whom or by what: nothing of a past that is lost. */
  remember<V>(of: object): Map<object, V>;
  /** The same, where only what ends a process, or takes hours, could have brought it about. */
  cutOff: string[];
  /** What a fault noticed of what it brought about. */
  amissBeside: string[];
  /** Lists, figures and files that are not what the books say. */
  miscounted: string[];
  /** The backup that was put in place last: when, and the newest that it knew. */
  restored: { at: number; redemption: number; batch: number } | undefined;
  /** Until when each account had paid yesterday evening, and how often money had gone back to it. */
  subscribed: Map<number, { until: number; refunds: number }>;
  judgedUntil: number;
  /** The newest redemption of the days before: a calendar may have been wrong. */
  judgedRedemption: number;
  /** What was written to be told in the last days, by its number. */
  notices: Map<number, WrittenNotice>;
  /** The same of notices, batches and extractions. */
  judgedNotice: number;
  judgedBatch: number;
  judgedExtraction: number;
  /**
   * What befell the service today that hosts are told of, and the newest notice before; `isSure`: nothing kept it from
   * being told.
   */
  troubles: { name: HostAlert['name']; after: number; isSure: boolean }[];
  /** Whether this person has blocked the bot today. */
  isAway(user: { id: number }): boolean;
  goAway(user: { id: number }): void;
  /** What happened last, for whoever reads a finding. */
  steps: string[];
  note(step: string): void;
  /** A new day: what was judged is forgotten. */
  turnThePage(): void;
}

const STEPS_KEPT = 60;
/** What a program may ask again, as long as its key is kept. */
const KEPT_MS = 24 * 60 * 60_000;
/** The end of a subscription is told three days before. */
const NOTICES_KEPT_MS = 5 * KEPT_MS;

export function createDiary(now: () => number): Diary {
  let past = new Map<object, Map<object, unknown>>();
  const within = new AsyncLocalStorage<typeof past>();
  const away = new Set<number>();
  const diary: Diary = {
    taps: [],
    questions: [],
    forged: [],
    wishes: [],
    paid: [],
    lookUps: [],
    inOrder: [],
    closed: [],
    crowds: [],
    gone: new Set(),
    takeovers: [],
    staffing: [],
    wentOn: [],
    triedAgain: new Set(),
    extractions: [],
    invoices: [],
    links: [],
    handedOut: new Map(),
    twice: [],
    onOrder: () => undefined,
    buttons: [],
    believed: [],
    numbers: new Map(),
    told: [],
    amiss: [],
    notice(...what) {
      if ((within.getStore() ?? past) === past) diary.amiss.push(...what);
    },
    during: (work) => within.run(past, work),
    loseThePast() {
      past = new Map();
      Object.assign(diary, { wishes: [], extractions: [], invoices: [], takeovers: [] });
      for (const link of diary.links) link.isOfLostPast = true;
      diary.handedOut.clear();
    },
    remember<V>(of: object) {
      const known = past.get(of) ?? new Map<object, unknown>();
      past.set(of, known);
      return known as Map<object, V>;
    },
    cutOff: [],
    amissBeside: [],
    miscounted: [],
    restored: undefined,
    subscribed: new Map(),
    judgedUntil: 0,
    judgedRedemption: 0,
    notices: new Map(),
    judgedNotice: 0,
    judgedBatch: 0,
    judgedExtraction: 0,
    troubles: [],
    isAway: ({ id }) => away.has(id),
    goAway: ({ id }) => void away.add(id),
    steps: [],
    note(step) {
      diary.steps.push(`${new Date(now()).toISOString().slice(0, 23)} ${step}`);
      if (diary.steps.length > STEPS_KEPT) diary.steps.shift();
    },
    turnThePage() {
      Object.assign(diary, {
        taps: [],
        questions: [],
        forged: [],
        wishes: diary.wishes.filter(({ at, key }) => key !== undefined && now() - at < KEPT_MS),
        told: [],
        lookUps: [],
        inOrder: [],
        crowds: [],
        closed: diary.closed.filter(({ openedAt }) => openedAt > now()),
        takeovers: [],
        staffing: [],
        wentOn: [],
        triedAgain: new Set(),
        extractions: diary.extractions.filter(({ at }) => now() - at < KEPT_MS),
        invoices: diary.invoices.filter(({ at }) => now() - at < 10 * KEPT_MS),
        links: diary.links.filter(({ at }) => now() - at < 10 * KEPT_MS),
        troubles: [],
      });
      for (const paid of diary.paid) paid.isHeardToday = false;
      for (const [id, notice] of diary.notices) {
        notice.isJudged = true;
        if (now() - notice.at > NOTICES_KEPT_MS) diary.notices.delete(id);
      }
      diary.judgedUntil = now();
      diary.gone.clear();
      away.clear();
      for (const { id } of diary.closed) away.add(id);
    },
  };
  return diary;
}

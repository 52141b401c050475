// What people did and were told: written while it happens, judged at the end of a day (promises/).
import type { User } from '../../src/playground/telegram/types.ts';

/** A pressed button. */
export interface Order {
  /** `look` where it is none: a button that leads somewhere. */
  kind: string;
  user: User;
  /** The message under which it stood, with its words as they were. */
  messageId: number;
  asked: string;
  updateId: number;
  /** What the bot answered to the tap, if it said anything there. */
  answer: string | undefined;
  at: number;
}

export interface Question {
  user: User;
  text: string;
  updateId: number;
  messageId: number;
  /** It was answered while they waited: its message may have changed since. */
  isAnswered: boolean;
}

/** A request of a program, and what became of it. */
export interface Wish {
  account: number;
  key: string | undefined;
  body: object;
  /** What it was answered in the end; undefined where it never got an answer. */
  answer: { status: number; json: unknown } | undefined;
}

export interface Diary {
  taps: Order[];
  questions: Question[];
  wishes: Wish[];
  /** Charges that Telegram took. */
  paid: { user: User; chargeId: string; at: number }[];
  /** Moments at which something befell the service: what was under way then may have been struck. */
  struck: { what: string; at: number }[];
  /** Codes in somebody's hands outside the service, and by what they came there. */
  handedOut: Map<string, string>;
  /** What happened last, for whoever reads a finding. */
  steps: string[];
  note(step: string): void;
  violations: string[];
}

const STEPS_KEPT = 60;

export function createDiary(now: () => number): Diary {
  const diary: Diary = {
    taps: [],
    questions: [],
    wishes: [],
    paid: [],
    struck: [],
    handedOut: new Map(),
    steps: [],
    note(step) {
      diary.steps.push(`${new Date(now()).toISOString().slice(0, 23)} ${step}`);
      if (diary.steps.length > STEPS_KEPT) diary.steps.shift();
    },
    violations: [],
  };
  return diary;
}

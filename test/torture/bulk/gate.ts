// What stands between a core and its disk and platform, so that the process it is in can be killed without a process:
// from a chosen moment on nothing it does reaches either, and nothing that it still answers is heard.
import type {
  CallOptions,
  CharacterOutcome,
  CodeOutcome,
  OrderOutcome,
  Platform,
} from '../../../src/platform/port.ts';
import type { Store } from '../../../src/store/index.ts';

/**
 * `before` the work of that write, or `after` it is on disk and before anybody is told; or when the platform has been
 * asked.
 */
type Moment = 'before' | 'after' | 'asked';

export interface Gate {
  store: Store;
  platform: Platform;
  /** Whether it is dead or was stopped. */
  isOver(): boolean;
  /** Resolves at death. */
  death: Promise<void>;
  /** Dies at the so-manieth write (or call of the platform) from now. */
  dieAt(nth: number, moment: Moment): void;
  die(): void;
  /** It was stopped: what it has begun to write is written, and nothing new begins. */
  end(): void;
  /** From the so-manieth write from now, so many are refused: half of them before their work, half after it. */
  refuseFrom(nth: number, count: number): void;
  /** No write is refused any more. */
  mend(): void;
}

/** `onDeath` takes what the process leaves behind, in the very moment. */
export function createGate(store: Store, platform: Platform, onDeath: () => void): Gate {
  const plan = { dieIn: Infinity, moment: 'before' as Moment, refuseIn: Infinity, refusals: 0 };
  let dead = false;
  let ended = false;
  let tellDeath: () => void = () => undefined;
  const death = new Promise<void>((resolve) => (tellDeath = resolve));

  function die(): void {
    if (dead) return;
    dead = true;
    onDeath();
    tellDeath();
  }

  function step(): { diesAfter: boolean; refused: false | 'before' | 'after' } {
    if (dead) throw new Dead();
    const counts = plan.moment !== 'asked';
    if (counts) plan.dieIn -= 1;
    plan.refuseIn -= 1;
    const isNow = counts && plan.dieIn === 0;
    if (isNow && plan.moment === 'before') {
      die();
      throw new Dead();
    }
    const isRefused = plan.refuseIn <= 0 && plan.refusals > 0;
    if (isRefused) plan.refusals -= 1;
    return { diesAfter: isNow, refused: isRefused && (plan.refusals % 2 === 0 ? 'before' : 'after') };
  }

  async function ask<T>(lost: T, { signal }: CallOptions, call: () => Promise<T>): Promise<T> {
    if (dead) return loseTouch(lost, signal);
    const answer = await call();
    if (plan.moment === 'asked' && (plan.dieIn -= 1) === 0) die();
    return dead ? loseTouch(lost, signal) : answer;
  }

  return {
    store: {
      ...store,
      async write(work, how) {
        if (ended) throw new Dead();
        let diesAfter = false;
        const value = await store.write((tables) => {
          const fate = step();
          diesAfter = fate.diesAfter;
          if (fate.refused === 'before') throw new Refused();
          const result = work(tables);
          if (fate.refused === 'after') throw new Refused();
          return result;
        }, how);
        if (diesAfter) die();
        return value;
      },
      read(work) {
        if (dead || ended) throw new Dead();
        return store.read(work);
      },
    },
    platform: {
      ...platform,
      redeem: (order, call) =>
        ask({ status: 'unknown', errorCode: 'UNKNOWN', message: 'Lost.' }, call, () =>
          platform.redeem(order, call),
        ),
      findOrder: (query, call) => ask<OrderOutcome>(LOST, call, () => platform.findOrder(query, call)),
      findCharacter: (query, call) =>
        ask<CharacterOutcome>(LOST, call, () => platform.findCharacter(query, call)),
      findCode: (query, call) => ask<CodeOutcome>(LOST, call, () => platform.findCode(query, call)),
    },
    isOver: () => dead || ended,
    death,
    dieAt: (nth, moment) => Object.assign(plan, { dieIn: nth, moment }),
    die,
    end: () => void (ended = true),
    refuseFrom: (nth, count) => Object.assign(plan, { refuseIn: nth, refusals: count }),
    mend: () => Object.assign(plan, { refuseIn: Infinity, refusals: 0 }),
  };
}

const LOST: { status: 'unreachable'; message: string } = { status: 'unreachable', message: 'Lost.' };

/** Said to a process that is no more; nobody hears what it makes of it. */
class Dead extends Error {
  override readonly name = 'Dead';
}

/** As SQLite says it where the disk fails. */
class Refused extends Error {
  readonly code = 'SQLITE_IOERR_WRITE';
  constructor() {
    super('disk I/O error');
  }
}

/** What a dead process asked is never answered, until it gives up. */
function loseTouch<T>(lost: T, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.resolve(lost);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(lost), { once: true }));
}

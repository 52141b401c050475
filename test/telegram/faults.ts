// Faults that a test or a person orders: what the next call, or a later one, meets instead of its answer.
import type { Params } from './params.ts';
import type { RefusalParameters } from './types.ts';

/**
 * What a call meets. `after`: the call is carried out and only its answer is lost, as behind a proxy that gave up.
 * `html`: the page of a proxy. `half`: the call is carried out and half of its JSON arrives. `hang`: no answer, ever.
 * `cut`: the connection breaks.
 */
export type Fault =
  | { kind: 'flood'; retryAfter: number }
  | {
      kind: 'error';
      code: number;
      description?: string;
      parameters?: RefusalParameters;
      after?: boolean;
    }
  | { kind: 'html'; code: 502 | 503 | 504; after?: boolean }
  | { kind: 'half' }
  | { kind: 'hang'; after?: boolean }
  | { kind: 'cut'; after?: boolean };

/** Faults by the names people have for them, worded as Telegram words them. */
export const FAULTS = {
  badGateway: { kind: 'html', code: 502 },
  unavailable: { kind: 'html', code: 503 },
  gatewayTimeout: { kind: 'html', code: 504 },
  /** The message was sent all the same. */
  gatewayTimeoutAfter: { kind: 'html', code: 504, after: true },
  restart: { kind: 'error', code: 500, description: 'Internal Server Error: restart' },
  halfOfJson: { kind: 'half' },
  hang: { kind: 'hang' },
  hangAfter: { kind: 'hang', after: true },
  cut: { kind: 'cut' },
  cutAfter: { kind: 'cut', after: true },
  shortFlood: { kind: 'flood', retryAfter: 12 },
  longFlood: { kind: 'flood', retryAfter: 40 },
  refused: { kind: 'error', code: 400, description: 'Bad Request: BUTTON_COPY_TEXT_INVALID' },
  messageGone: { kind: 'error', code: 400, description: 'Bad Request: message to edit not found' },
  unauthorized: { kind: 'error', code: 401, description: 'Unauthorized' },
  blocked: { kind: 'error', code: 403, description: 'Forbidden: bot was blocked by the user' },
  deactivated: { kind: 'error', code: 403, description: 'Forbidden: user is deactivated' },
} as const satisfies Record<string, Fault>;

/** A call as a fault is chosen for it: before it is carried out. `method` is `file` where a file's link is followed. */
export interface FaultyCall {
  method: string;
  params: Params;
}

/**
 * A method, `file` for links of files, `*` for any call but getUpdates, or a condition, asked of any call but
 * getUpdates.
 */
type WhichCalls = string | ((call: FaultyCall) => boolean);

/** A fault that was ordered. */
interface FaultOrder {
  /** How many calls have met it. */
  met(): number;
  cancel(): void;
}

export interface Faults {
  /** The next `times` such calls meet this fault; `Infinity`: until it is cancelled. Earlier orders come first. */
  next(which: WhichCalls, fault: Fault, times?: number): FaultOrder;
  /** The `nth` such call from now meets it, counted from 1; those before it pass. */
  at(nth: number, which: WhichCalls, fault: Fault): FaultOrder;
  /** How many orders have not been met as often as they were to be. */
  ordered(): number;
  clear(): void;
}

interface Order {
  which: WhichCalls;
  fault: Fault;
  /** Such calls that pass first. */
  passing: number;
  left: number;
  met: number;
}

/** Faults in the order in which they were ordered; `take` is asked once for every call. */
export function createFaults(): Faults & { take(call: FaultyCall): Fault | undefined } {
  let orders: Order[] = [];

  function add(which: WhichCalls, fault: Fault, passing: number, times: number): FaultOrder {
    const order = { which, fault, passing, left: times, met: 0 };
    orders.push(order);
    return {
      met: () => order.met,
      cancel: () => void (orders = orders.filter((one) => one !== order)),
    };
  }

  return {
    next: (which, fault, times = 1) => add(which, fault, 0, times),
    at: (nth, which, fault) => add(which, fault, nth - 1, 1),
    ordered: () => orders.length,
    clear: () => void (orders = []),
    take(call) {
      // Every order counts the call, also where another one's fault is what it meets.
      const ready = orders.filter((order) => fits(order.which, call) && !passes(order));
      const order = ready[0];
      if (!order) return undefined;
      order.left -= 1;
      order.met += 1;
      orders = orders.filter((one) => one.left > 0);
      return order.fault;
    },
  };
}

function fits(which: WhichCalls, call: FaultyCall): boolean {
  const isPoll = call.method.toLowerCase() === 'getupdates';
  if (typeof which === 'function') return !isPoll && which(call);
  return which === '*' ? !isPoll : which.toLowerCase() === call.method.toLowerCase();
}

function passes(order: Order): boolean {
  if (order.passing <= 0) return false;
  order.passing -= 1;
  return true;
}

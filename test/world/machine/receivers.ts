// Whoever the shops' webhooks lead to: stands in place of the network for requests of the service, keeps what came, and
// answers as its mood is. What it is told is judged in promises/webhooks.ts.
import { EventEmitter } from 'node:events';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import tls from 'node:tls';

import type { Seeded } from '../../harness/seeded.ts';
import type { Time } from './time.ts';

export interface Delivered {
  path: string;
  id: string;
  timestamp: string;
  signature: string;
  body: string;
  at: number;
  /** Whether its receiver will say that it has it. */
  isTaken: boolean;
}

/** `picky`: takes all messages but some, and those never. */
export type Mood = 'well' | 'failing' | 'redirecting' | 'silent' | 'refusing' | 'breaking off' | 'picky';

export interface Receivers {
  delivered: Delivered[];
  /** How whoever is at this path answers, and until when (true time). */
  moods: Map<string, { mood: Mood; until: number }>;
  /** Addresses that programs have registered beside those of their shops, by their paths. */
  extra: Map<string, Extra>;
  /** When whoever is at this path took something last (true time). */
  takenAt: Map<string, number>;
  /** When a delivery was ordered once more, by its number. */
  retried: Map<number, number>;
}

interface Extra {
  accountId: number;
  secret: string;
  events: ReadonlySet<string>;
  id: number;
  /** With which it was registered. */
  key: string;
  /** When it was registered, or switched on again. */
  hopedSince: number;
  /** When its program was answered that nothing more is told there. */
  removedAt?: number;
  /** As the books said in the evening. */
  offAt?: number;
}

interface Posting {
  path: string;
  headers: Record<string, string>;
  signal: AbortSignal;
}

const STATUSES: Partial<Record<Mood, number>> = { well: 204, redirecting: 308 };
const NETWORK_MS = [20, 400] as const;
/** The host of every address: anybody could reach it. */
export const RECEIVER = 'https://93.184.216.34';

let receive: (sent: Posted, body: string) => void = () => undefined;

/** Takes all webhooks of this process from now on: each is connected to, whoever is there. */
export function bindRequests(): void {
  const { request } = http;
  const connect = () => {
    const socket = Object.assign(new EventEmitter(), { destroyed: false, destroy: () => socket });
    process.nextTick(() => socket.emit('secureConnect'));
    return socket;
  };
  Object.assign(tls, { connect });
  Object.assign(http, {
    request: (options: Posting & http.RequestOptions) =>
      'webhook-id' in options.headers ? new Posted(options) : request(options),
  });
  syncBuiltinESMExports();
}

/** From now on they come here. */
export function createReceivers(time: Time, random: Seeded): Receivers {
  const receivers: Receivers = {
    delivered: [],
    moods: new Map(),
    extra: new Map(),
    takenAt: new Map(),
    retried: new Map(),
  };
  const [least, most] = NETWORK_MS;
  receive = (sent, body) => {
    const { path } = sent.options;
    const { mood, until } = receivers.moods.get(path) ?? { mood: 'well', until: 0 };
    const how = time.clock.now() < until ? moodFor(mood, sent.options.headers) : 'well';
    const ms = least + random.below(most - least);
    // It arrives whatever becomes of the sender; the answer reaches only whoever is still there.
    if (how !== 'refusing')
      time.outside(() => setTimeout(() => keep(path, sent.options.headers, body, how === 'well'), ms));
    if (how !== 'silent') setTimeout(() => sent.answer(how), ms * 2);
  };
  function keep(path: string, headers: Record<string, string>, body: string, isTaken: boolean): void {
    const {
      'webhook-id': id = '',
      'webhook-timestamp': timestamp = '',
      'webhook-signature': signature = '',
    } = headers;
    if (isTaken) receivers.takenAt.set(path, time.clock.now());
    receivers.delivered.push({ path, id, timestamp, signature, body, at: time.clock.now(), isTaken });
  }
  return receivers;
}

/** Of so many messages one is not to the taste of whoever is picky. */
const LIKED_OF = 3;

function moodFor(mood: Mood, { 'webhook-id': id = '' }: Record<string, string>): Mood {
  if (mood !== 'picky') return mood;
  return Number(id.replace(/\D/g, '')) % LIKED_OF === 0 ? 'failing' : 'well';
}

/** A request as node:http makes one. */
class Posted extends EventEmitter {
  readonly options: Posting;
  #isOver = false;

  constructor(options: Posting) {
    super();
    this.options = options;
    options.signal.addEventListener('abort', () => this.#fail('ABORT_ERR'), { once: true });
  }

  end(body: string): void {
    receive(this, body);
  }

  /** Its end, as the other side brings it about. */
  answer(how: Mood): void {
    if (this.#isOver) return;
    if (how === 'refusing') return this.#fail('ECONNREFUSED');
    if (how === 'breaking off') return this.#fail('ECONNRESET');
    this.#isOver = true;
    this.emit(
      'response',
      Object.assign(Readable.from([]), { statusCode: STATUSES[how] ?? 500, headers: {} }),
    );
    this.emit('close');
  }

  #fail(code: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.emit('error', Object.assign(new Error(code), { code }));
    this.emit('close');
  }
}

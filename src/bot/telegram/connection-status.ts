// Connection status of the bot with Telegram, read from every answer: the host is told in a sentence, once, when
// Telegram does not know the token, and sees it at `/readyz`. And two processes on one token, told by Telegram's
// conflicts (409) while updates are fetched: the host is told after a minute of it, and once more when it is over.
import type { Clock } from '../../clock.ts';
import type { BotLog } from '../context.ts';
import type { Core } from '../../core/index.ts';

/**
 * `starting`: nothing was heard yet. `unreachable`: the last call was not answered. `revoked`: the token is unknown.
 * `failed`: Telegram is there, and the bot could not start. `contested`: another process fetches the updates of this
 * bot.
 */
export type TelegramStatus = 'starting' | 'reachable' | 'unreachable' | 'revoked' | Hindrance;
/** What keeps it from its work although Telegram answers; of two the first is told. */
const HINDRANCES = ['failed', 'contested'] as const;
type Hindrance = (typeof HINDRANCES)[number];

export interface ConnectionStatus {
  current(): TelegramStatus;
  /** Since when it stands so; milliseconds. */
  since(): number;
  /** When Telegram answered last; undefined where it has not yet. */
  lastAnswerAt(): number | undefined;
  /** What became of a call; cheap, asked for each. */
  heard(outcome: 'answered' | 'lost' | 'unauthorized'): void;
  /** Whether this keeps it from its work from now on. */
  hinder(by: Hindrance, isSo: boolean): void;
}

const NEVER_KNOWN =
  'Telegram does not know this TELEGRAM_BOT_TOKEN, and nobody is answered. Ask @BotFather for the right one, set it and start again; HTTP is served, and it is tried again and again';
const KNOWN_NO_MORE =
  'Telegram no longer knows TELEGRAM_BOT_TOKEN: it was revoked. Nobody is answered. Ask @BotFather for the new one, set it and start again; meanwhile it is tried again and again';

export function createConnectionStatus(
  log: Pick<BotLog, 'error' | 'info'>,
  clock: Pick<Clock, 'now'>,
): ConnectionStatus {
  let status: Exclude<TelegramStatus, Hindrance> = 'starting';
  let since = clock.now();
  let answeredAt: number | undefined;
  let isToldOf = false;
  /** Since when. */
  const hindered = new Map<Hindrance, number>();

  function change(next: typeof status): void {
    if (next === status) return;
    status = next;
    since = clock.now();
  }

  const hindrance = () =>
    status === 'reachable' ? HINDRANCES.find((each) => hindered.has(each)) : undefined;

  return {
    current: () => hindrance() ?? status,
    since() {
      const by = hindrance();
      return (by && hindered.get(by)) ?? since;
    },
    lastAnswerAt: () => answeredAt,
    hinder(by, isSo) {
      if (!isSo) hindered.delete(by);
      else if (!hindered.has(by)) hindered.set(by, clock.now());
    },
    heard(outcome) {
      if (outcome === 'unauthorized') {
        change('revoked');
        if (isToldOf) return;
        isToldOf = true;
        log.error({}, answeredAt === undefined ? NEVER_KNOWN : KNOWN_NO_MORE);
        return;
      }
      // While a token is unknown a lost call says nothing new.
      if (outcome === 'lost') {
        if (status !== 'revoked') change('unreachable');
        return;
      }
      if (isToldOf) log.info({}, 'Telegram knows the token');
      change('reachable');
      answeredAt = clock.now();
      isToldOf = false;
    },
  };
}

export interface Contention {
  /** Telegram gave the updates to somebody else. */
  conflicted(): void;
  /** Updates were fetched. */
  fetched(): void;
}

interface ContentionDeps {
  clock: Pick<Clock, 'elapsed'>;
  log: Pick<BotLog, 'info' | 'warn' | 'error'>;
  connection: Pick<ConnectionStatus, 'hinder'>;
  noteContest: Core['noteContest'];
}

const TOLD_AFTER_MS = 60_000;
/** Of two that pause after each conflict one may be left alone for the longest pause and a poll. */
const CALM_MS = 120_000;

export function createContention(deps: ContentionDeps): Contention {
  const { clock, log, connection, noteContest } = deps;
  let conflicts: { first: number; last: number } | undefined;
  let isContested = false;

  return {
    conflicted() {
      const now = clock.elapsed();
      if (!conflicts)
        log.warn(
          {},
          'another process fetches the updates of this bot; in a deployment that passes by itself',
        );
      conflicts = { first: conflicts?.first ?? now, last: now };
      if (now - conflicts.first < TOLD_AFTER_MS) return;
      connection.hinder('contested', true);
      noteContest(true);
      if (!isContested)
        log.error(
          {},
          'another process fetches the updates of this bot: the token is used twice, and a part of what people write goes there. End the other one, or give it a token of its own',
        );
      isContested = true;
    },
    fetched() {
      if (!conflicts || clock.elapsed() - conflicts.last < CALM_MS) return;
      conflicts = undefined;
      connection.hinder('contested', false);
      noteContest(false);
      if (isContested) log.info({}, 'no other process fetches the updates of this bot any more');
      isContested = false;
    },
  };
}

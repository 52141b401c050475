// Two processes on one token, told by Telegram's conflicts (409) while updates are fetched: each gets a part of what people write, so
// whoever hosts the service is told after a minute of it, and once more when it is over. Shorter ones are what a deployment looks like.
import type { Clock } from '../../clock.ts';
import type { Core } from '../../core/index.ts';
import type { BotLog } from '../context.ts';
import type { ConnectionStatusKeeper } from './connection-status.ts';

export interface Contention {
  /** Telegram gave the updates to somebody else. */
  conflicted(): void;
  /** Updates are missing that only somebody else can have fetched. */
  missed(): void;
  /** Updates were fetched. */
  fetched(): void;
}

interface ContentionDeps {
  clock: Pick<Clock, 'elapsed'>;
  log: Pick<BotLog, 'info' | 'warn' | 'error'>;
  standing: Pick<ConnectionStatusKeeper, 'hinder'>;
  alertHost: Core['alertHost'];
  noteContest: Core['noteContest'];
}

const TOLD_AFTER_MS = 60_000;
/** Of two that pause after each conflict one may be left alone for the longest pause and a poll. */
const CALM_MS = 120_000;

export function createContention(deps: ContentionDeps): Contention {
  const { clock, log, standing, alertHost, noteContest } = deps;
  let conflicts: { first: number; last: number } | undefined;
  let isContested = false;

  function tell(): void {
    standing.hinder('contested', true);
    noteContest(true);
    if (!isContested)
      log.error(
        {},
        'another process fetches the updates of this bot: the token is used twice, and a part of what people write goes there. End the other one, or give it a token of its own',
      );
    isContested = true;
    void alertHost('botContested', true);
  }

  return {
    missed() {
      const now = clock.elapsed();
      conflicts = { first: now - TOLD_AFTER_MS, last: now };
      tell();
    },
    conflicted() {
      const now = clock.elapsed();
      if (!conflicts)
        log.warn(
          {},
          'another process fetches the updates of this bot; in a deployment that passes by itself',
        );
      conflicts = { first: conflicts?.first ?? now, last: now };
      if (now - conflicts.first >= TOLD_AFTER_MS) tell();
    },
    fetched() {
      if (!conflicts || clock.elapsed() - conflicts.last < CALM_MS) return;
      conflicts = undefined;
      standing.hinder('contested', false);
      noteContest(false);
      if (isContested) log.info({}, 'no other process fetches the updates of this bot any more');
      isContested = false;
      void alertHost('botContested', false);
    },
  };
}

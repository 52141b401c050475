// How the bot stands with Telegram, read from every answer: whoever hosts the service is told in a sentence when the token is
// revoked while it runs, once, and sees it at `/readyz`, since the chat can no longer tell them.
import type { Clock } from '../../clock.ts';
import type { BotLog } from '../context.ts';

/** `starting`: nothing was heard yet. `unreachable`: the last call was not answered. `revoked`: the token is unknown. */
export type Standing = 'starting' | 'reachable' | 'unreachable' | 'revoked';

export interface StandingKeeper {
  current(): Standing;
  /** Since when it stands so; milliseconds. */
  since(): number;
  /** When Telegram answered last; undefined where it has not yet. */
  lastAnswerAt(): number | undefined;
  /** What became of a call; cheap, asked for each. */
  heard(outcome: 'answered' | 'lost' | 'unauthorized'): void;
}

export function createStanding(
  log: Pick<BotLog, 'error' | 'info'>,
  clock: Pick<Clock, 'now'>,
): StandingKeeper {
  let standing: Standing = 'starting';
  let since = clock.now();
  let answeredAt: number | undefined;
  let wasKnown = false;
  let isToldOf = false;

  function change(next: Standing): void {
    if (next === standing) return;
    standing = next;
    since = clock.now();
  }

  return {
    current: () => standing,
    since: () => since,
    lastAnswerAt: () => answeredAt,
    heard(outcome) {
      if (outcome === 'unauthorized') {
        change('revoked');
        // A token that was wrong from the beginning has a sentence of its own.
        if (!wasKnown || isToldOf) return;
        isToldOf = true;
        log.error(
          {},
          'Telegram no longer knows TELEGRAM_BOT_TOKEN: it was revoked. Nobody is answered. Ask @BotFather for the new one, set it and start again; meanwhile it is tried again and again',
        );
        return;
      }
      // While a token is unknown a lost call says nothing new.
      if (outcome === 'lost') {
        if (standing !== 'revoked') change('unreachable');
        return;
      }
      if (isToldOf) log.info({}, 'Telegram knows the token again');
      change('reachable');
      answeredAt = clock.now();
      wasKnown = true;
      isToldOf = false;
    },
  };
}

// People who take their time, without a test having to: each update moves the time on by which the stand-in for
// Telegram measures floods. So its limits hold in every test, and an action that says more than it should is refused
// there, too.
import { createForwardClock } from './forward-clock.ts';
import type { BotApi } from '../telegram/telegram.ts';

/** From one thing that a person does to the next: time for three messages or edits of the bot's. */
const BETWEEN_MS = 10_000;

export interface Unhurried {
  /** For the stand-in's `floodClock`. */
  floodClock: { elapsed(): number };
  /** From now on whatever people do in `api` takes its time. */
  follow(api: BotApi): void;
}

export function createUnhurried(): Unhurried {
  const floodClock = createForwardClock();
  return {
    floodClock,
    follow: (api) => void api.watch(({ kind }) => kind === 'update' && floodClock.advance(BETWEEN_MS)),
  };
}

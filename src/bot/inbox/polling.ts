// Long polling: asks for updates, keeps them in the inbox, and only then lets Telegram forget them.
import type { Api } from 'grammy';

import { backOff, pause } from '../../waiting.ts';
import type { BotLog } from '../context.ts';
import { describeError } from '../errors.ts';
import type { Contention } from '../telegram/connection-status.ts';
import type { Inbox } from './inbox.ts';
import { readTelegramError } from '../telegram/telegram-errors.ts';
import { asApiSignal } from '../telegram/api-signal.ts';

export interface Polling {
  start(): void;
  stop(): Promise<void>;
}

/** Shorter than an attempt of the client (20 s). */
const POLL_SECONDS = 15;
const growingPauseMs = backOff(1_000, 30_000);
const FULL_PAUSE_MS = 100;
const CONFLICT = 409;
/** Whoever else fetches them gives way, or never will: waiting longer leaves them the updates. */
const CONFLICT_PAUSE_MS = 5_000;

interface PollingDeps {
  api: Pick<Api, 'getUpdates'>;
  inbox: Pick<Inbox, 'accept' | 'isFull'>;
  log: BotLog;
  contention: Contention;
  allowed: readonly (
    'message' | 'edited_message' | 'callback_query' | 'pre_checkout_query' | 'my_chat_member'
  )[];
  wait?: typeof pause;
}

export function createPolling(deps: PollingDeps): Polling {
  const { api, inbox, log, contention, allowed, wait = pause } = deps;
  const stopping = new AbortController();
  let task: Promise<void> | undefined;

  async function poll(): Promise<void> {
    // Without an offset at first: Telegram tells what it has not forgotten, and the inbox knows what it has. After a
    // quiet week its ids begin anywhere, perhaps lower: an offset that is not near them is ignored, and the next one
    // follows them.
    let offset: number | undefined;
    for (let failures = 0; !stopping.signal.aborted;) {
      try {
        if (inbox.isFull()) await wait(FULL_PAUSE_MS, stopping.signal);
        else {
          const asked = {
            timeout: POLL_SECONDS,
            allowed_updates: [...allowed],
            offset,
          };
          const updates = await api.getUpdates(asked, asApiSignal(stopping.signal));
          contention.fetched();
          await inbox.accept(updates);
          const last = updates.at(-1);
          if (last) offset = last.update_id + 1;
          failures = 0;
        }
      } catch (error) {
        if (stopping.signal.aborted) return;
        const trouble = readTelegramError(error);
        if (trouble?.kind === 'refused' && trouble.code === CONFLICT) {
          contention.conflicted();
          await wait(CONFLICT_PAUSE_MS, stopping.signal);
          continue;
        }
        const asked = trouble?.kind === 'flood' ? trouble.retryAfterMs : 0;
        failures += 1;
        const pauseMs = Math.max(asked, growingPauseMs(failures));
        // A token that was revoked is told once, by whoever keeps the connection status.
        if (trouble?.kind !== 'revoked')
          log.warn(
            { error: describeError(error), pauseMs },
            'updates could not be fetched, it is tried again',
          );
        await wait(pauseMs, stopping.signal);
      }
    }
  }

  return {
    start: () => void (task = poll()),
    async stop() {
      stopping.abort();
      await task;
    },
  };
}

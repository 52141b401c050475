// Alert of a database that was moved away or deleted under the running service. It goes straight to Telegram: the outbox lies in it.
// Repeated each second until Telegram takes it; said once more when the file is back.
import type { Api } from 'grammy';
import { GrammyError } from 'grammy';

import { createTicking } from '../../ticking.ts';
import type { BotDeps } from '../context.ts';
import { findLanguageOf } from '../actor.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';

const LOOK_MS = 1_000;

export function createMovedDatabaseAlert(
  deps: Pick<BotDeps, 'core' | 'store' | 'settings' | 'texts' | 'log'>,
  api: Pick<Api, 'sendMessage'>,
): BotBackground {
  const { core, settings, texts, log } = deps;
  /** To whom it was last said that it is gone. */
  const alarmed = new Set<number>();

  async function tell(telegramId: number, isInPlace: boolean): Promise<void> {
    const key = isInPlace ? 'host-database-back' : 'host-database-moved';
    const text = texts.say(findLanguageOf(deps, telegramId), key);
    await api.sendMessage(telegramId, text, { parse_mode: 'HTML' }).catch((error: unknown) => {
      // Who cannot be written to is not tried again.
      if (!(error instanceof GrammyError) || ![400, 403].includes(error.error_code)) throw error;
    });
    if (isInPlace) alarmed.delete(telegramId);
    else alarmed.add(telegramId);
  }

  return createTicking(
    LOOK_MS,
    async () => {
      const isInPlace = core.health.isInPlace();
      const untold = settings.hostIds.filter((id) => alarmed.has(id) === isInPlace);
      const results = await Promise.allSettled(untold.map((id) => tell(id, isInPlace)));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
    (error) => log.warn({ error: describeError(error) }, 'hosts could not be told where the database is'),
  );
}

// Host alerts of a database that takes nothing go straight to Telegram: the outbox lies in it. Repeated each second
// until Telegram takes them; that they are over is a notice like any other.
import type { Api } from 'grammy';
import { GrammyError } from 'grammy';

import type { HostAlert } from '../../core/index.ts';
import { createTicking } from '../../ticking.ts';
import type { BotDeps } from '../context.ts';
import { findLanguageOf } from '../actor.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import { formatAlert } from '../outbox/alert-words.ts';
import type { Language } from '../texts.ts';

const LOOK_MS = 1_000;

export function createDirectAlerts(
  deps: Pick<BotDeps, 'core' | 'store' | 'settings' | 'texts' | 'log'>,
  api: Pick<Api, 'sendMessage'>,
): BotBackground {
  const { core, settings, texts, log } = deps;
  /** What each host was told of. */
  const told = new Set<string>();

  async function notify(telegramId: number, alert: HostAlert): Promise<void> {
    const key = `${telegramId} ${alert.name} ${alert.since}`;
    if (told.has(key)) return;
    const text = formatAlert(texts, readLanguageOf(deps, telegramId), alert);
    await api.sendMessage(telegramId, text, { parse_mode: 'HTML' }).catch((error: unknown) => {
      // Who cannot be written to is not tried again.
      if (!(error instanceof GrammyError) || ![400, 403].includes(error.error_code)) throw error;
    });
    told.add(key);
  }

  return createTicking(
    LOOK_MS,
    async () => {
      const alerts = core.hostAlerts.listDirect();
      const sending = alerts.flatMap((alert) => settings.hostIds.map((id) => notify(id, alert)));
      for (const result of await Promise.allSettled(sending))
        if (result.status === 'rejected') throw result.reason;
    },
    (error) => log.warn({ error: describeError(error) }, 'hosts could not be told that nothing is written'),
  );
}

/** English where the disk cannot even be read. */
function readLanguageOf(deps: Pick<BotDeps, 'store'>, telegramId: number): Language {
  try {
    return findLanguageOf(deps, telegramId);
  } catch {
    return 'en';
  }
}

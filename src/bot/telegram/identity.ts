// Which bot the token is of. The ids of its updates are made its own before anything is kept by them: what another bot
// was sent under the same number is something else.
import type { Update } from 'grammy/types';

import { renderFor } from '../actor.ts';
import type { BotDeps } from '../context.ts';
import type { Language } from '../texts.ts';

/** More than Telegram counts updates. */
const SPAN = 2 ** 32;

export type Identity = ReturnType<typeof createIdentity>;

export function createIdentity(
  deps: Pick<BotDeps, 'store' | 'clock' | 'settings' | 'texts' | 'log'>,
  token: string,
) {
  const { store, clock, settings, texts, log } = deps;
  const [id = ''] = token.split(':', 1);
  const known = store.bots.list();
  const place = known.findIndex((each) => each.id === id);
  const first = (place < 0 ? known.length : place) * SPAN;
  return {
    /** As it is kept. */
    own: (update: Update): Update => ({ ...update, update_id: first + update.update_id }),
    isOwnUpdate: (updateId: number) => updateId >= first && updateId < first + SPAN,
    /** Hosts are told where it was another until now. */
    async noteBot(username: string): Promise<void> {
      const last = known.at(-1);
      // A disk that takes nothing keeps nobody from starting, who tells hosts of it.
      if (last?.id === id && last.username === username) return;
      const since = clock.now();
      const before = last?.username ?? '';
      const word = (language: Language) => ({
        html: texts.say(language, 'host-other-bot', { bot: username, before }),
      });
      const messages = settings.hostIds.map((hostId) =>
        renderFor(deps, `bot:${since}:${hostId}`, hostId, word),
      );
      if (await store.bots.note({ id, username, since }, messages))
        log.warn({ username, before }, 'the token is of another bot than before');
    },
  };
}

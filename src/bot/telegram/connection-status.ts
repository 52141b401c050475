// Connection status of the bot with Telegram, read from every answer: whoever hosts the service is told in a sentence, once, when Telegram does
// not know the token, at the start or later, and sees it at `/readyz`, since the chat can no longer tell them.
import type { Clock } from '../../clock.ts';
import type { BotLog } from '../context.ts';

/**
 * `starting`: nothing was heard yet. `unreachable`: the last call was not answered. `revoked`: the token is unknown. `failed`: Telegram
 * is there, and the bot could not start. `contested`: another process fetches the updates of this bot.
 */
export type Standing = 'starting' | 'reachable' | 'unreachable' | 'revoked' | Hindrance;
/** What keeps it from its work although Telegram answers; of two the first is told. */
const HINDRANCES = ['failed', 'contested'] as const;
type Hindrance = (typeof HINDRANCES)[number];

export interface ConnectionStatusKeeper {
  current(): Standing;
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
): ConnectionStatusKeeper {
  let standing: Exclude<Standing, Hindrance> = 'starting';
  let since = clock.now();
  let answeredAt: number | undefined;
  let isToldOf = false;
  /** Since when. */
  const hindered = new Map<Hindrance, number>();

  function change(next: typeof standing): void {
    if (next === standing) return;
    standing = next;
    since = clock.now();
  }

  const hindrance = () =>
    standing === 'reachable' ? HINDRANCES.find((each) => hindered.has(each)) : undefined;

  return {
    current: () => hindrance() ?? standing,
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
        if (standing !== 'revoked') change('unreachable');
        return;
      }
      if (isToldOf) log.info({}, 'Telegram knows the token');
      change('reachable');
      answeredAt = clock.now();
      isToldOf = false;
    },
  };
}

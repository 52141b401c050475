// Late credentials: what was settled without its login, since the platform could not show it for a day, is asked about
// for a month more, with growing pauses, by the task of the doubt that it was. What comes is one update of the receipt,
// and told once.
import type { CodeOutcome } from '../../platform/port.ts';
import type { Store, StoredRedemption, Tables } from '../../store/index.ts';
import { within, backOff } from '../../waiting.ts';
import { receiptFamilyOf, type Games } from '../games.ts';
import { writeNotice } from '../notices/notices.ts';
import { type CoreClock, DAY_MS, HOUR_MS } from '../../clock.ts';
import { askHold } from '../promises.ts';
import type { TaskEnd } from '../tasks/run-task.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { InFlight } from './in-flight.ts';
import { toStoredReceipt } from './settle.ts';

interface LateLoginDeps {
  store: Store;
  upstreams: Pick<Upstreams, 'find' | 'findCode'>;
  games: Games;
  clock: CoreClock;
  inFlight: InFlight;
}

/** How often it was asked for, and when it is asked for next, on the monotonic scale. */
export interface AwaitedLogin {
  looks: number;
  from: number;
}

/** Each look costs an activation upstream: fourteen in a month. */
const growingPauseMs = backOff(HOUR_MS, 96 * HOUR_MS);
const ASKED_FOR_MS = 30 * DAY_MS;
const LOOK_TIMEOUT_MS = 30_000;
/** No task is planned for later. */
const LONGEST_MS = HOUR_MS;

/** Goes on asking for the login of what was just settled without, and tells the host. */
export function awaitLogin(
  tables: Tables,
  { id, accountId, taskId }: StoredRedemption & { taskId: number },
  clock: CoreClock,
): void {
  tables.tasks.continue(taskId, askLater(id, 0, clock).payload);
  const notice = { kind: 'loginAwaited', accountId: null, ofAccount: accountId, redemptionId: id } as const;
  writeNotice(tables, notice, clock.now());
}

export const askLater = (id: number, looks: number, clock: CoreClock) =>
  waitFor(id, { looks, from: clock.monotonicNow() + growingPauseMs(looks + 1) }, clock);

function waitFor(id: number, login: AwaitedLogin, clock: CoreClock) {
  const until = clock.now() + Math.min(login.from - clock.monotonicNow(), LONGEST_MS);
  return { state: 'next', payload: JSON.stringify({ id, login }), waitsFor: askHold(id), until } as const;
}

export async function askForLogin(deps: LateLoginDeps, id: number, login: AwaitedLogin): Promise<TaskEnd> {
  const { store, upstreams, clock, inFlight } = deps;
  if (clock.monotonicNow() < login.from) return waitFor(id, login, clock);
  const { settled, spent } = store.read(({ redemptions, attempts }) => ({
    settled: redemptions.get(id),
    spent: attempts.findSpent(id),
  }));
  // Only who carried it out keeps a receipt for us.
  const { findCode } = (spent && upstreams.find(spent.upstream)?.platform) ?? upstreams;
  const { gameId, code } = settled;
  if (code === null) throw new Error(`Redemption ${id} is settled without a code.`);
  const told = await within(
    (signal) => findCode({ gameId, code, withReceipt: true }, { signal }),
    LOOK_TIMEOUT_MS,
    {
      signal: inFlight.giveUp.signal,
      late: (): CodeOutcome => ({ status: 'unreachable', message: 'No answer in time.' }),
    },
  );
  const now = clock.now();
  const receipt = told.status === 'redeemed' ? told.receipt : undefined;
  if (receipt) {
    const write = (tables: Tables) => complete(deps, tables, settled, receipt, now);
    return { state: 'done', write };
  }
  const isNone = told.status === 'redeemed' && !told.receiptAwaited;
  if (isNone || now - (settled.settledAt ?? now) > ASKED_FOR_MS) return { state: 'done' };
  return askLater(id, login.looks + 1, clock);
}

type Kept = NonNullable<Extract<CodeOutcome, { status: 'redeemed' }>['receipt']>;

function complete(
  { games }: LateLoginDeps,
  tables: Tables,
  settled: StoredRedemption,
  { fullReceipt, ...told }: Kept,
  now: number,
): void {
  const { id, accountId, actor, gameId, openid } = settled;
  // Another player's receipt is none of this redemption.
  if (told.openid !== openid) return;
  const game = receiptFamilyOf(games, gameId);
  if (!tables.redemptions.completeLogin(id, toStoredReceipt(told, !fullReceipt, game))) return;
  writeNotice(tables, { kind: 'loginCame', accountId, actor, redemptionId: id }, now);
}

// Late credentials: what was settled without its login, since the platform could not show it for a day, is asked about
// for a month more, with growing pauses. What comes is one update of the receipt, and told once.
import type { CodeOutcome } from '../../platform/port.ts';
import type { Store, StoredRedemption, Tables } from '../../store/index.ts';
import { within, backOff } from '../../waiting.ts';
import { receiptFamilyOf, type Games } from '../games.ts';
import { writeNotice } from '../notices/notices.ts';
import { type CoreClock, HOUR_MS } from '../../clock.ts';
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

/** Each look costs an activation upstream: fourteen in a month. */
const FIRST_PAUSE_MS = HOUR_MS;
const LONGEST_PAUSE_MS = 96 * HOUR_MS;
const growingPauseMs = backOff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
const ASKED_FOR_MS = 30 * 24 * HOUR_MS;
const LOOK_TIMEOUT_MS = 30_000;
const LOOKS_AT_ONCE = 20;

/** Goes on asking for the login of what was just settled without, and tells the host. */
export function awaitLogin(tables: Tables, { id, accountId }: StoredRedemption, now: number): void {
  tables.lateLogins.wait(id, now + FIRST_PAUSE_MS);
  writeNotice(tables, { kind: 'loginAwaited', accountId: null, ofAccount: accountId, redemptionId: id }, now);
}

/** Looks at those that are due, one after the other. What cannot be written down is due again. */
export function createLateLogins(deps: LateLoginDeps): (isStopping: () => boolean) => Promise<void> {
  const { store, clock } = deps;
  return async (isStopping) => {
    const due = store.read(({ lateLogins }) =>
      lateLogins.listDue(clock.now(), LONGEST_PAUSE_MS, LOOKS_AT_ONCE),
    );
    for (const { id, looks } of due) if (!isStopping()) await checkOne(deps, id, looks);
  };
}

async function checkOne(deps: LateLoginDeps, id: number, looks: number): Promise<void> {
  const { store, upstreams, clock, inFlight } = deps;
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
  const pauseMs = growingPauseMs(looks + 2);
  await store.write((tables) => {
    if (told.status === 'redeemed' && told.receipt) return complete(deps, tables, settled, told.receipt, now);
    const isNone = told.status === 'redeemed' && !told.receiptAwaited;
    if (isNone || now - (settled.settledAt ?? now) > ASKED_FOR_MS) return tables.lateLogins.giveUp(id);
    return tables.lateLogins.postpone(id, now + pauseMs);
  });
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
  if (told.openid !== openid) return tables.lateLogins.giveUp(id);
  const game = receiptFamilyOf(games, gameId);
  if (!tables.lateLogins.complete(id, toStoredReceipt(told, !fullReceipt, game))) return;
  writeNotice(tables, { kind: 'loginCame', accountId, actor, redemptionId: id }, now);
}

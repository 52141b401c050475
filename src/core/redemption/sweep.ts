// The sweep of a stock key after a takeover: before anything of it is sold, the platform is asked about its codes from
// the head until enough in a row are unspent. What the lost time has redeemed becomes a recovered redemption
// (record-recovered.ts). Begun by the first order, goes on where it was after a restart.
import type { StockKey, Tables } from '../../store/index.ts';
import { pause, within } from '../../waiting.ts';
import type { CoreLog } from '../log.ts';
import { tellsNothing } from '../upstreams/witnesses.ts';
import { watchStock, writeNotice } from '../notices/notices.ts';
import { isCertain, type Checked, type CheckUnspent } from './check-unspent.ts';
import { settleUnverified, type RecordRecovered, type RecoveredDeps } from './record-recovered.ts';
import type { InFlight } from './in-flight.ts';

/** Resolves with whether the key may be sold of now. */
export type SweepStock = (key: StockKey, withinMs: number) => Promise<boolean>;

export interface SweepDeps extends RecoveredDeps {
  checkUnspent: CheckUnspent;
  recordRecovered: RecordRecovered;
  log: CoreLog;
  inFlight: InFlight;
}

const ASKED_AT_ONCE = 10;
const ASK_TIMEOUT_MS = 90_000;
const ASKED_AGAIN = 2;
const ASKED_AGAIN_AFTER_MS = 1_000;

export function createSweepStock(deps: SweepDeps): SweepStock {
  const { store } = deps;
  const underWay = new Map<string, Promise<void>>();

  const isEnded = (key: StockKey): boolean => {
    const sweep = store.read((tables) => tables.takeover.findSweep(key));
    return sweep === undefined || sweep.endedAt !== null;
  };

  return async (key, withinMs) => {
    if (isEnded(key)) return true;
    const name = JSON.stringify([key.accountId, key.gameId, key.denomination]);
    let run = underWay.get(name);
    if (!run) {
      run = sweep(deps, key).finally(() => underWay.delete(name));
      underWay.set(name, run);
    }
    await within(run, withinMs);
    return isEnded(key);
  };
}

/** Goes on until the key is swept, or the platform does not tell. Never rejects. */
async function sweep(deps: SweepDeps, key: StockKey): Promise<void> {
  try {
    while (!deps.inFlight.giveUp.signal.aborted && (await step(deps, key)) === 'more');
  } catch (error) {
    deps.log.error({ err: error, ...key }, 'a stock could not be swept, the next order tries again');
  }
}

async function step(deps: SweepDeps, key: StockKey): Promise<'more' | 'over'> {
  const { store } = deps;
  const found = store.read(({ takeover }) => {
    const state = takeover.findSweep(key);
    if (!state || state.endedAt !== null) return undefined;
    const after = { returns: state.afterReturns, id: state.afterId };
    return { state, after, codes: takeover.listUntold(key, after, ASKED_AT_ONCE) };
  });
  if (!found) return 'over';
  const told = await askAbout(deps, key, found.codes);
  return store.write((tables) => advance(deps, tables, key, { ...found, told }));
}

/**
 * Of one that it does not tell of while it tells of others it is asked once more: whose it is decides whom the others
 * are given to.
 */
async function askAbout(
  { checkUnspent, inFlight }: SweepDeps,
  { gameId }: StockKey,
  codes: readonly { code: string | undefined }[],
): Promise<Checked[]> {
  const { signal } = inFlight.giveUp;
  let told: Checked[] = codes.map(() => UNTOLD);
  for (let tries = 1; ; tries += 1) {
    const withReceipt = tries === 1;
    told = await Promise.all(
      codes.map(async ({ code }, index) => {
        const known = told[index] ?? UNTOLD;
        if (code === undefined) return UNREADABLE;
        const asked = { gameId, code, withReceipt, isAskedAgain: tries > 1 };
        return isCertain(known) ? known : checkUnspent(asked, ASK_TIMEOUT_MS, signal);
      }),
    );
    const isReached = told.some(isHeard);
    const isWhole = codes.every(({ code }, index) => code === undefined || isCertain(told[index] ?? UNTOLD));
    if (isWhole || !isReached || tries > ASKED_AGAIN || signal.aborted) return told;
    await pause(ASKED_AGAIN_AFTER_MS * tries, signal);
  }
}

const UNTOLD: Checked = { status: 'notAsked' };

/** It is put aside when it is taken. */
const UNREADABLE: Checked = { status: 'underWay' };

/** Somebody has answered whose word counts: what is not certain of it then is asked about when it is taken. */
const isHeard = (told: Checked): boolean =>
  isCertain(told) || told.status === 'underWay' || tellsNothing(told);

interface Asked {
  state: NonNullable<ReturnType<Tables['takeover']['findSweep']>>;
  after: { returns: number; id: number };
  codes: ReturnType<Tables['takeover']['listUntold']>;
  told: Checked[];
}

function advance(deps: SweepDeps, tables: Tables, key: StockKey, asked: Asked): 'more' | 'over' {
  const { state, after, codes, told } = asked;
  const now = deps.clock.now();
  // One alone that the platform does not tell of stops nobody: it is asked about when it is taken.
  const heard = told.findLastIndex(isHeard) + 1;
  let last = after;
  let { unspent } = state;
  for (const [index, { id, returns, code, isHeld }] of codes.slice(0, heard).entries()) {
    const outcome = told[index] ?? UNREADABLE;
    last = { returns, id };
    if (code !== undefined)
      settleUnverified(deps.recordRecovered, tables, { ...key, id, code }, outcome, now);
    // Those that nobody takes end no run.
    if (outcome.status === 'redeemed') unspent = 0;
    else if (isCertain(outcome) && !isHeld) unspent += 1;
    if (unspent >= state.needed) break;
  }
  const isAtEnd = codes.length < ASKED_AT_ONCE && (codes.at(-1)?.id ?? last.id) === last.id;
  const isOver = unspent >= state.needed || isAtEnd;
  tables.takeover.advance(key, { last, unspent, endedAt: isOver ? now : null });
  if (isOver) notifyRecovered(tables, key, now);
  watchStock(tables, key, now);
  return isOver || last === after ? 'over' : 'more';
}

function notifyRecovered(tables: Tables, key: StockKey, now: number): void {
  const count = tables.takeover.countRecovered(key);
  if (count > 0) writeNotice(tables, { kind: 'recovered', ...key, count }, now);
}

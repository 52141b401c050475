// The sweep of a stock key after a takeover: before anything of it is sold, the platform is asked about its codes from the head until
// enough in a row are unspent. What the lost time has redeemed becomes a recovered redemption (recovered.ts). Begun by the first order,
// goes on where it was after a restart.
import type { CodeOutcome } from '../../platform/port.ts';
import type { Tables } from '../../store/index.ts';
import { within } from '../../waiting.ts';
import type { CoreLog } from '../log.ts';
import { watchStock, writeNotice } from '../notices/notices.ts';
import type { CheckUnspent } from './check-unspent.ts';
import type { KeepRecovered, RecoveredDeps } from './recovered.ts';
import type { InFlight } from './in-flight.ts';
import type { StockKey } from './take-code.ts';

/** Resolves with whether the key may be sold of now. */
export type SweepStock = (key: StockKey, withinMs: number) => Promise<boolean>;

export interface SweepDeps extends RecoveredDeps {
  checkUnspent: CheckUnspent;
  keepRecovered: KeepRecovered;
  log: CoreLog;
  inFlight: InFlight;
}

const ASKED_AT_ONCE = 10;
const ASK_TIMEOUT_MS = 90_000;

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
  const { store, checkUnspent, inFlight } = deps;
  const found = store.read(({ takeover }) => {
    const state = takeover.findSweep(key);
    if (!state || state.endedAt !== null) return undefined;
    const after = { returns: state.afterReturns, id: state.afterId };
    return { state, after, codes: takeover.listUnverified(key, after, ASKED_AT_ONCE) };
  });
  if (!found) return 'over';
  const told = await Promise.all(
    found.codes.map(async ({ code }) =>
      code === undefined
        ? UNREADABLE
        : checkUnspent(
            { gameId: key.gameId, code, withReceipt: true },
            ASK_TIMEOUT_MS,
            inFlight.giveUp.signal,
          ),
    ),
  );
  return store.write((tables) => advance(deps, tables, key, { ...found, told }));
}

/** It is put aside when it is taken. */
const UNREADABLE: CodeOutcome = { status: 'underWay' };

interface Asked {
  state: NonNullable<ReturnType<Tables['takeover']['findSweep']>>;
  after: { returns: number; id: number };
  codes: ReturnType<Tables['takeover']['listUnverified']>;
  told: CodeOutcome[];
}

function advance(deps: SweepDeps, tables: Tables, key: StockKey, asked: Asked): 'more' | 'over' {
  const { state, codes, told } = asked;
  const now = deps.clock.now();
  let { after: last } = asked;
  let { unspent } = state;
  for (const [index, outcome] of told.entries()) {
    const found = codes[index];
    // One alone that the platform does not tell of stops nobody: it is asked about when it is taken.
    const isSilent = told.slice(index).every(({ status }) => status === 'unreachable');
    if (!found || isSilent) break;
    last = { returns: found.returns, id: found.id };
    if (outcome.status === 'notRedeemed' && tables.codes.verify(found.id, now)) unspent += 1;
    if (outcome.status === 'redeemed' && found.code !== undefined) {
      unspent = 0;
      const spent = { ...key, id: found.id, code: found.code };
      const isOurs = tables.codes.findLot(found.id)?.state === 'unverified';
      if (isOurs && !deps.keepRecovered(tables, spent, outcome)) tables.codes.discardAsUsed(found.id, now);
    }
    if (unspent >= state.needed) break;
  }
  const isStuck = codes.length > 0 && last.id === asked.after.id && last.returns === asked.after.returns;
  const isOver = unspent >= state.needed || (codes.length < ASKED_AT_ONCE && isAllTold(asked, last));
  tables.takeover.advance(key, { last, unspent, endedAt: isOver ? now : null });
  if (isOver) tellRecovered(tables, key, now);
  watchStock(tables, key, now);
  return isOver || isStuck ? 'over' : 'more';
}

const isAllTold = ({ codes }: Asked, last: { id: number }): boolean =>
  codes.length === 0 || codes.at(-1)?.id === last.id;

function tellRecovered(tables: Tables, key: StockKey, now: number): void {
  const count = tables.takeover.countRecovered(key);
  if (count > 0) writeNotice(tables, { kind: 'recovered', ...key, count }, now);
}

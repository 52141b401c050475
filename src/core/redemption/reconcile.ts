// Settling what was left in doubt. The platform is asked about the same code, with growing pauses, for ever; nothing is guessed.
import type { Clock } from '../../clock.ts';
import type { Character, CharacterOutcome, CodeOutcome, Platform } from '../../platform/port.ts';
import type { Store, StoredRedemption, Tables } from '../../store/index.ts';
import { askWithin } from '../deadlines.ts';
import type { Games } from '../games.ts';
import type { CoreLog } from '../log.ts';
import { writeNotice } from '../notices/notices.ts';
import type { ErrorCode } from '../outcomes.ts';
import type { Running } from './running.ts';
import { createRecovery } from './recover.ts';
import { settleFailed, settleRedeemed, settleReturned, tellOfDoubt } from './settle.ts';
import { toStoredReceipt } from './stored-receipt.ts';

export interface Reconcile {
  /** Puts every pending redemption that this process does not run in doubt. Returns how many. */
  recover(): Promise<number>;
  /** Looks at every doubt that is due, and at those that come due meanwhile; returns when none is. */
  sweep(): Promise<void>;
}

export interface ReconcileDeps {
  store: Store;
  platform: Platform;
  games: Games;
  clock: Clock;
  log: CoreLog;
  running: Running;
}

const LOOKS_AT_ONCE = 50;
const LOOK_TIMEOUT_MS = 30_000;
const LONGEST_PAUSE_MS = 60 * 60 * 1000;
/** A look that could not be written down is not repeated sooner: where the store fails, the platform is not asked in a loop. */
const UNWRITTEN_PAUSE_MS = 60_000;
/** How far the platform's clock may be behind ours, from the architecture document. */
const SKEW_MS = 5 * 60 * 1000;

type Doubt = StoredRedemption & { code: string };

export function createReconcile(deps: ReconcileDeps): Reconcile {
  const { store, clock, platform, log, running } = deps;
  // When this process first knew of a doubt, in elapsed time: a calendar that jumps must not shorten the settling period.
  const knownSince = new Map<number, number>();
  const looking = new Set<number>();
  const pausedUntil = new Map<number, number>();

  /** What this process still carries out is not looked at: "not redeemed" would not be final. */
  const isFree = (id: number) =>
    !looking.has(id) && !running.promises.has(id) && (pausedUntil.get(id) ?? 0) <= clock.elapsed();

  async function look(doubt: Doubt): Promise<void> {
    const since = knownSince.get(doubt.id) ?? clock.elapsed();
    knownSince.set(doubt.id, since);
    pausedUntil.delete(doubt.id);
    try {
      const settled = await lookAt(deps, doubt, since);
      if (settled) knownSince.delete(doubt.id);
    } catch (error) {
      log.error({ err: error, redemptionId: doubt.id }, 'a doubt could not be settled');
      await store
        .write((tables) => postpone(tables, doubt, platform, clock.now()))
        .catch(() => pausedUntil.set(doubt.id, clock.elapsed() + UNWRITTEN_PAUSE_MS));
    }
  }

  return {
    recover: createRecovery(deps),
    async sweep() {
      const lanes = new Set<Promise<void>>();
      while (!running.giveUp.signal.aborted) {
        const due = store
          .read((tables) => tables.redemptions.listDue(clock.now(), LONGEST_PAUSE_MS, LOOKS_AT_ONCE * 2))
          .filter((row): row is Doubt => row.code !== null && isFree(row.id))
          .slice(0, LOOKS_AT_ONCE - lanes.size);
        for (const doubt of due) {
          looking.add(doubt.id);
          const lane: Promise<void> = look(doubt).finally(() => {
            looking.delete(doubt.id);
            lanes.delete(lane);
          });
          lanes.add(lane);
        }
        if (lanes.size === 0) return;
        await Promise.race(lanes);
      }
      await Promise.all(lanes);
    },
  };
}

/** One look: true when it settled the doubt (or somebody else had), false when it has to be looked at again. */
async function lookAt(deps: ReconcileDeps, doubt: Doubt, knownSince: number): Promise<boolean> {
  const { store, platform, clock, running } = deps;
  const askedAt = clock.elapsed();
  const told = await askWithin<CodeOutcome>(
    LOOK_TIMEOUT_MS,
    running.giveUp.signal,
    (signal) => platform.findCode({ gameId: doubt.gameId, code: doubt.code, withReceipt: true }, { signal }),
    () => ({ status: 'unreachable', message: 'No answer in time.' }),
  );
  const player = told.status === 'redeemed' ? await findPlayer(deps, doubt) : undefined;
  const untilFinalMs = Math.ceil(platform.settlingMs - (askedAt - knownSince));
  return store.write((tables) => conclude(deps, tables, doubt, told, player, untilFinalMs, clock.now()));
}

function findPlayer({ platform, running }: ReconcileDeps, doubt: Doubt): Promise<CharacterOutcome> {
  return askWithin<CharacterOutcome>(
    LOOK_TIMEOUT_MS,
    running.giveUp.signal,
    (signal) => platform.findCharacter({ gameId: doubt.gameId, playerId: doubt.playerId }, { signal }),
    () => ({ status: 'unreachable', message: 'No answer in time.' }),
  );
}

function conclude(
  deps: ReconcileDeps,
  tables: Tables,
  doubt: Doubt,
  told: CodeOutcome,
  player: CharacterOutcome | undefined,
  untilFinalMs: number,
  now: number,
): boolean {
  if (told.status === 'notRedeemed' && untilFinalMs <= 0) return giveBack(tables, doubt, now);
  if (told.status === 'redeemed' && player && player.status !== 'unreachable') {
    return player.status === 'found' && isOurs(tables, doubt, told, player)
      ? receive(deps, tables, doubt, told, player, now)
      : concede(tables, doubt, now);
  }
  if (told.status === 'unreachable' && told.hostNotice && doubt.looks === 0) {
    writeNotice(tables, { kind: 'platformTrouble', accountId: null, sentence: told.hostNotice }, now);
  }
  // "Not redeemed" is final as soon as the period is over, however long the pauses had grown in processes that ended before.
  postpone(
    tables,
    doubt,
    deps.platform,
    now,
    told.status === 'notRedeemed' ? untilFinalMs : LONGEST_PAUSE_MS,
  );
  return false;
}

/** Redeemed for this player, since our first doubtful attempt at this code for him began. */
function isOurs(
  tables: Tables,
  doubt: Doubt,
  told: { openid: string; redeemedAt: number },
  player: Character,
): boolean {
  if (told.openid !== player.openid) return false;
  const hash = tables.redemptions.hashOf(doubt.gameId, doubt.code);
  const first = tables.redemptions.findFirstDoubt(doubt.gameId, hash, doubt.playerId) ?? doubt.createdAt;
  return told.redeemedAt >= Math.min(first, doubt.createdAt) - SKEW_MS;
}

function receive(
  { games }: ReconcileDeps,
  tables: Tables,
  doubt: Doubt,
  told: Extract<CodeOutcome, { status: 'redeemed' }>,
  player: Character,
  now: number,
): boolean {
  const game = games.find(doubt.gameId) ?? { receipts: 'account' as const };
  const known = told.receipt ?? {
    openid: player.openid,
    name: player.name,
    productName: told.productName,
    ...(told.amount > 0 && { amount: told.amount }),
  };
  const warning = !(told.receipt?.fullReceipt ?? false);
  if (settleRedeemed(tables, doubt, toStoredReceipt(known, warning, game), now)) {
    tellOfDoubt(tables, doubt, 'redeemed', now);
  }
  return true;
}

function concede(tables: Tables, doubt: Doubt, now: number): boolean {
  const message = 'The platform says that this code was redeemed for someone else, or before.';
  if (settleFailed(tables, doubt, { errorCode: 'CODE_USED', message, asked: true }, now)) {
    tellOfDoubt(tables, doubt, 'spentElsewhere', now);
  }
  return true;
}

function giveBack(tables: Tables, doubt: Doubt, now: number): boolean {
  const answered = { errorCode: (doubt.errorCode ?? 'UNKNOWN') as ErrorCode, message: doubt.errorMessage };
  if (settleReturned(tables, doubt, answered, now)) tellOfDoubt(tables, doubt, 'returned', now);
  return true;
}

function postpone(
  tables: Tables,
  doubt: Doubt,
  platform: Platform,
  now: number,
  longestMs = LONGEST_PAUSE_MS,
): void {
  const pauseMs = Math.min(platform.lookPauseMs * 2 ** Math.min(doubt.looks, 20), longestMs);
  tables.redemptions.postpone(doubt.id, now + pauseMs);
}

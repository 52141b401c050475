// Who is asked what became of a code, and whose "unused" is believed. A service of another region calls a code unused
// that it never hears of: it is believed where it has named as used a code that another upstream spent, within a week;
// else it is asked about one.
import { DAY_MS, HOUR_MS, type CoreClock } from '../../clock.ts';
import type { CodeOutcome, Upstream } from '../../platform/port.ts';
import type { Store } from '../../store/index.ts';

/** What is asked about: a code, and whose it is. */
interface AskedCode {
  gameId: string;
  code: string;
  /** Whose redemption it is of, where it is of one. */
  accountId?: number;
}

export interface Witnesses {
  /** Those that were sent it, which always are, then those that may be asked about what others were sent. */
  list(sentTo: readonly string[], gameId: string): Upstream[];
  /** Whether there is anybody to ask what became of a code that nobody is known to have been sent. */
  canTell(gameId: string): boolean;
  /**
   * Whether its "unused" says that nobody has used the code. `isOwn`: it was sent it, in a time that nobody has lost.
   */
  isBelieved(witness: Upstream, asked: AskedCode, isOwn: boolean, signal: AbortSignal): Promise<boolean>;
  /** It has named a code as used that these were sent: it hears of others where it was not sent it itself. */
  noteSeen(witness: string, sentTo: readonly string[]): void;
  /**
   * What became of a code that none of them is known to have been sent: as `findCode` of a platform, of what is
   * believed alone.
   */
  findCode(query: AskedCode & { withReceipt?: boolean }, signal: AbortSignal): Promise<CodeOutcome>;
}

/** An attempt, as far as it tells where a code was sent. */
interface SentTo {
  upstream: string;
  state: string;
  proof: string | null;
}

interface Deps {
  store: Store;
  clock: CoreClock;
  upstreams: { all: readonly Upstream[]; find(name: string): Upstream | undefined };
}

const BELIEVED_MS = 7 * DAY_MS;
/** One that knew nothing of a control is not asked about another one sooner: a look-up costs. */
const CONTROLLED_EVERY_MS = HOUR_MS;
/** Redemptions among which a control is looked for. */
const LOOKED_THROUGH = 500;

const NOBODY_TOLD: CodeOutcome = {
  status: 'unreachable',
  message: 'No upstream has told what became of the code.',
};

/**
 * Whom a code was sent to, by name. Where its end is not known stands first: only who carried it out keeps the receipt.
 */
export function listSentTo(ledger: readonly SentTo[]): string[] {
  const sent = ledger.filter(({ proof }) => proof !== 'never_sent');
  const unknown = sent.filter(({ state }) => state === 'unknown');
  return [...new Set([...unknown, ...sent].map(({ upstream }) => upstream))];
}

export function createWitnesses(deps: Deps): Witnesses {
  const { store, upstreams } = deps;
  const { all } = upstreams;
  const believed = createBelieved(deps);

  function list(sentTo: readonly string[], gameId: string): Upstream[] {
    const own = sentTo.map((name) => upstreams.find(name));
    const others = [...all].sort((a, b) => a.tier - b.tier).filter(({ witness }) => witness);
    const asked = new Set([...own.filter((each) => each !== undefined), ...others]);
    return [...asked].filter(({ platform, knows }) => !platform.hasNoLookUp && knows(gameId));
  }

  async function isBelieved(
    witness: Upstream,
    { accountId, gameId, code }: AskedCode,
    isOwn: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (all.length === 1) return true;
    const isAlone =
      isOwn &&
      accountId !== undefined &&
      !store.read(({ attempts }) => attempts.wasSentElsewhere({ accountId, gameId, code }, witness.name));
    return isAlone || believed.isProven(witness, gameId, signal);
  }

  const listAll = (gameId: string) => list(all.length === 1 ? [all[0]?.name ?? ''] : [], gameId);

  return {
    list,
    canTell: (gameId) => listAll(gameId).length > 0,
    isBelieved,
    noteSeen: believed.note,
    async findCode(query, signal) {
      const { gameId, code, withReceipt } = query;
      let told = NOBODY_TOLD;
      for (const witness of listAll(gameId)) {
        const asked = { gameId, code, ...(withReceipt && { withReceipt }) };
        told = await witness.platform.findCode(asked, { signal });
        if (told.status === 'redeemed') return { ...told, toldBy: witness.name };
        const isUnused = told.status === 'notRedeemed';
        if (isUnused && !(await isBelieved(witness, query, false, signal))) told = NOBODY_TOLD;
        if (told.status !== 'unreachable' || signal.aborted) return told;
      }
      return told;
    },
  };
}

/** Who has shown that it hears of what others spend. In memory: a restart asks again. */
function createBelieved({ store, clock }: Deps) {
  const seenAt = new Map<string, number>();
  const controlledAt = new Map<string, number>();
  const isRecent = (at: number | undefined, ms: number) => at !== undefined && clock.elapsed() - at < ms;

  function note(witness: string, sentTo: readonly string[]): void {
    if (!sentTo.includes(witness)) seenAt.set(witness, clock.elapsed());
  }

  /** A code that another upstream spent lately, and that this one was never sent. */
  function findControl({ name }: Upstream, gameId: string): { code: string; spentBy: string } | undefined {
    const since = clock.now() - BELIEVED_MS;
    return store.read(({ attempts, redemptions }) => {
      const newest = attempts.listNewest(LOOKED_THROUGH);
      const own = new Set(
        newest
          .filter(({ upstream, proof }) => upstream === name && proof !== 'never_sent')
          .map(({ redemptionId }) => redemptionId),
      );
      const spent = newest
        .filter((row) => row.state === 'spent' && !own.has(row.redemptionId) && row.gameId === gameId)
        .findLast(({ endedAt }) => (endedAt ?? 0) > since);
      const code = spent && redemptions.get(spent.redemptionId).code;
      return spent && code ? { code, spentBy: spent.upstream } : undefined;
    });
  }

  return {
    note,
    async isProven(witness: Upstream, gameId: string, signal: AbortSignal): Promise<boolean> {
      const { name, platform } = witness;
      if (isRecent(seenAt.get(name), BELIEVED_MS)) return true;
      if (isRecent(controlledAt.get(name), CONTROLLED_EVERY_MS)) return false;
      const control = findControl(witness, gameId);
      if (!control) return false;
      const told = await platform.findCode({ gameId, code: control.code }, { signal });
      if (told.status === 'redeemed') note(name, [control.spentBy]);
      else if (told.status === 'notRedeemed') controlledAt.set(name, clock.elapsed());
      return told.status === 'redeemed';
    },
  };
}

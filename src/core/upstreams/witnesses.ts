// Who is asked what became of a code. That it is used counts whoever says so; that it is unused only where somebody is
// believed: a service of another region calls a code unused that it never hears of.
import { DAY_MS, type Clock } from '../../clock.ts';
import type { CodeOutcome, Upstream } from '../../platform/port.ts';
import type { Store, Tables } from '../../store/index.ts';

/** What is asked about: a code, and whose it is. */
interface AskedCode {
  gameId: string;
  code: string;
  /** Whose redemption it is of, where it is of one. */
  accountId?: number;
}

/** `unproven`: called unused, and not by anybody whose word counts; `isLast`: there is nobody whose word would. */
export type FoundCode = CodeOutcome | { status: 'unproven'; isLast: boolean };

export interface Witnesses {
  /** Those that were sent it, which always are, then those that may be asked about what others were sent. */
  list(sentTo: readonly string[], gameId: string): Upstream[];
  /** Whether there is anybody to ask what became of a code that nobody is known to have been sent. */
  canTell(gameId: string): boolean;
  /** Whether there is anybody whose "unused" of such a code counts. `tables`: of the write that it is asked in. */
  canProve(gameId: string, tables?: Tables): boolean;
  /**
   * Whether the "unused" of those who have just said so, the last of them now, says that nobody has used the code.
   * `isOwn`: that one was sent it, in a time that nobody has lost.
   */
  isBelieved(unused: readonly Upstream[], asked: AskedCode, isOwn: boolean): boolean;
  /** What became of a code that none of them is known to have been sent. */
  findCode(query: AskedCode & { withReceipt?: boolean }, signal: AbortSignal): Promise<FoundCode>;
}

/** An attempt, as far as it tells where a code was sent. */
interface SentTo {
  upstream: string;
  state: string;
  proof: string | null;
}

interface Deps {
  store: Store;
  clock: Pick<Clock, 'now'>;
  upstreams: { all: readonly Upstream[]; find(name: string): Upstream | undefined };
}

/** So long it counts that it has named a code as used that another upstream spent. */
const PROVEN_MS = 7 * DAY_MS;

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

/** Who is asked about a code that nobody is known to have been sent: the only one that knows the game, else those that may be. */
function listAsked(all: readonly Upstream[], gameId: string): Upstream[] {
  const knowing = all.filter(({ knows }) => knows(gameId));
  return knowing.filter(
    ({ witness, platform }) => (witness || knowing.length === 1) && !platform.hasNoLookUp,
  );
}

/**
 * Whether by the settings alone there is anybody whose "unused" of such a code counts: one that they name for it, or
 * all of those together that can have spent it.
 */
export function canProveBySettings(all: readonly Upstream[], gameId: string): boolean {
  const asked = listAsked(all, gameId);
  const isAll = asked.length === all.filter(({ knows }) => knows(gameId)).length;
  return asked.length > 0 && (isAll || asked.some((each) => trusts(each, gameId)));
}

const trusts = ({ witness }: Pick<Upstream, 'witness'>, gameId: string): boolean =>
  typeof witness === 'object' && witness.includes(gameId);

/** It has answered, and does not tell: nothing more comes of asking. */
export const tellsNothing = (told: FoundCode | { status: 'notAsked' }): boolean =>
  told.status === 'unreachable' && told.doesNotTell === true;

export function createWitnesses({ store, clock, upstreams }: Deps): Witnesses {
  const all = [...upstreams.all].sort((a, b) => a.tier - b.tier);

  function list(sentTo: readonly string[], gameId: string): Upstream[] {
    const own = sentTo.map((name) => upstreams.find(name)).filter((each) => each !== undefined);
    const asked = new Set([...own, ...all.filter(({ witness }) => witness)]);
    return [...asked].filter(({ platform, knows }) => !platform.hasNoLookUp && knows(gameId));
  }

  /** The ledger shows that it hears of what others spend. */
  function isProven({ name }: Upstream, gameId: string, tables?: Tables): boolean {
    const find = ({ attemptFigures }: Tables) =>
      attemptFigures.hasProven(name, gameId, clock.now() - PROVEN_MS);
    return tables ? find(tables) : store.read(find);
  }

  function isBelieved(unused: readonly Upstream[], asked: AskedCode, isOwn: boolean): boolean {
    const last = unused.at(-1);
    const { accountId, gameId, code } = asked;
    if (!last) return false;
    if (all.every((each) => !each.knows(gameId) || unused.includes(each))) return true;
    const isAlone =
      isOwn &&
      accountId !== undefined &&
      !store.read(({ attempts }) => attempts.wasSentElsewhere({ accountId, gameId, code }, last.name));
    return isAlone || trusts(last, gameId) || isProven(last, gameId);
  }

  const canProve: Witnesses['canProve'] = (gameId, tables) =>
    canProveBySettings(all, gameId) || listAsked(all, gameId).some((each) => isProven(each, gameId, tables));

  return {
    list,
    canTell: (gameId) => listAsked(all, gameId).length > 0,
    canProve,
    isBelieved,
    async findCode(query, signal) {
      const { gameId, code, withReceipt } = query;
      const unused: Upstream[] = [];
      const others: CodeOutcome[] = [];
      for (const witness of listAsked(all, gameId)) {
        const asked = { gameId, code, ...(withReceipt && { withReceipt }) };
        const told = await witness.platform.findCode(asked, { signal });
        if (told.status === 'redeemed') return { ...told, toldBy: witness.name };
        if (told.status === 'notRedeemed') unused.push(witness);
        else others.push(told);
        if (told.status === 'notRedeemed' && isBelieved(unused, query, false)) return told;
        if (signal.aborted) break;
      }
      const underWay = others.find(({ status }) => status === 'underWay');
      if (underWay) return underWay;
      if (unused.length === 0) return others.find((told) => !tellsNothing(told)) ?? others[0] ?? NOBODY_TOLD;
      return { status: 'unproven', isLast: !canProve(gameId) };
    },
  };
}

// Sending a code once more, for the same player to the same upstream, to learn what became of an unknown attempt: only
// where nobody can tell, and nothing that was sent before may still be carried out.
import { HOUR_MS, type CoreClock } from '../../clock.ts';
import type { RedeemOutcome, Upstream } from '../../platform/port.ts';
import type { Store, Tables } from '../../store/index.ts';
import { toStoredAnswer } from './after-attempt.ts';
import type { SentRow, OpenDoubt } from './own-record.ts';
import type { DoubtVerdict } from './conclude-doubt.ts';
import { isStillWanted } from './still-wanted.ts';

interface ResendDeps {
  store: Store;
  clock: CoreClock;
  ask(call: (signal: AbortSignal) => Promise<RedeemOutcome>): Promise<RedeemOutcome>;
  /** Whether the code came out of the stock, and nobody else had it in hand. */
  isOursAlone: boolean;
}

const ALIKE_REFUSALS = 5;
const SENT_FOR_MS = 6 * HOUR_MS;
const TAKEN_BACK: RedeemOutcome = {
  ...{ status: 'refused', errorCode: 'NETWORK_ERROR', asked: false, neverSent: true },
  message: 'It was taken back just before it was sent.',
};
const OF_CODE = ['CODE_USED', 'INVALID_CODE'];

/** Whether nothing more is learned by sending it. */
export function isSentEnough(ledger: readonly SentRow[], now: number): boolean {
  const resends = ledger.filter(({ kind, proof }) => kind === 'resend' && proof !== 'never_sent');
  const last = resends.at(-1)?.errorCode;
  if (last === 'CODE_USED' || last === 'RISK_CONTROL') return true;
  const first = ledger.find(({ kind }) => kind === 'resend');
  if (first && now - first.begunAt >= SENT_FOR_MS) return true;
  const alike = resends.slice(-ALIKE_REFUSALS);
  return (
    alike.length === ALIKE_REFUSALS &&
    alike.every(({ errorCode }) => errorCode !== 'UNKNOWN' && errorCode === last)
  );
}

/** The attempt that is repeated, at an upstream that is there. */
export function findRepeatable(
  { ledger }: OpenDoubt,
  upstreams: { find(name: string): Upstream | undefined },
): { row: SentRow; upstream: Upstream } | undefined {
  const unknown = ledger.filter(({ state }) => state === 'unknown');
  for (const row of [...unknown.filter(({ kind }) => kind === 'order'), ...unknown]) {
    const upstream = upstreams.find(row.upstream);
    if (upstream) return { row, upstream };
  }
  return undefined;
}

/**
 * Sends it, and writes the attempt down before and after. What it says of the doubt is the caller's to write; undefined:
 * it is not to be sent any more.
 */
export async function resend(
  deps: ResendDeps,
  open: OpenDoubt,
  { row, upstream }: { row: SentRow; upstream: Upstream },
): Promise<DoubtVerdict | undefined> {
  const { store, clock } = deps;
  const { id, gameId, code, playerId, denomination, playerName } = open.doubt;
  const n = (open.ledger.at(-1)?.n ?? 0) + 1;
  const isWanted = (tables: Tables) =>
    isStillWanted(tables, tables.redemptions.get(id), upstream, clock.now());
  const step = await store.write((tables) => {
    const redemption = tables.redemptions.get(id);
    if (redemption.state !== 'in_doubt' || tables.attempts.list(id).length !== n - 1) return 'changed';
    if (!isWanted(tables)) return 'unwanted';
    // It is over by the time that has passed, whatever the calendar says.
    tables.attempts.lower(id, clock.now());
    const sent = { redemptionId: id, n, upstream: upstream.name, reference: row.reference, now: clock.now() };
    tables.attempts.begin({ ...sent, kind: 'resend' });
    return 'begun';
  });
  if (step === 'unwanted') return undefined;
  if (step === 'changed') return { status: 'postponed', why: 'underWay' };
  const order = { reference: row.reference, gameId, code, playerId, denomination, playerName };
  const own = { redemptionId: id, n, upstream: upstream.name };
  const saveJobId = (theirId: string) =>
    store.write(({ attempts }) => attempts.saveJobId({ ...own, theirId }));
  // What was taken back in the same commit, or since, has still come before it.
  const outcome = store.read(isWanted)
    ? await deps.ask((signal) => upstream.platform.redeem(order, { signal, saveJobId }))
    : TAKEN_BACK;
  return judge(deps, open, { n, upstream, outcome });
}

function judge(
  deps: ResendDeps,
  { doubt }: OpenDoubt,
  { n, upstream, outcome }: { n: number; upstream: Upstream; outcome: RedeemOutcome },
): DoubtVerdict | Promise<DoubtVerdict> {
  switch (outcome.status) {
    case 'redeemed': {
      const warning = outcome.fullReceipt !== true;
      const by = { proof: 'resend', n, answered: toStoredAnswer(outcome.answer, false) } as const;
      return { status: 'received', receipt: outcome.receipt, warning, loginAwaited: false, by };
    }
    case 'unknown':
      return leave(deps, doubt.id, { n, outcome, quietMs: upstream.platform.settlingMs });
    case 'refused': {
      if (!OF_CODE.includes(outcome.errorCode)) return pass(deps, doubt.id, n, outcome);
      if (outcome.usedByPlayer && deps.isOursAlone) {
        const receipt = { openid: `player:${doubt.playerId}`, name: doubt.playerName ?? doubt.playerId };
        const by = { proof: 'resend', passed: { n, outcome } } as const;
        return { status: 'received', receipt, warning: true, loginAwaited: false, by };
      }
      return leave(deps, doubt.id, { n, outcome, quietMs: 0 });
    }
  }
}

/** What it came to is unknown, too. */
async function leave(
  { store, clock }: ResendDeps,
  id: number,
  {
    n,
    outcome,
    quietMs,
  }: { n: number; outcome: Exclude<RedeemOutcome, { status: 'redeemed' }>; quietMs: number },
): Promise<DoubtVerdict> {
  const { errorCode, message, answer } = outcome;
  const now = clock.now();
  await store.write((tables) =>
    tables.attempts.doubt(id, { ...toStoredAnswer(answer), errorCode, message, n }, now + quietMs, now),
  );
  return { status: 'postponed', why: 'sentAgain' };
}

async function pass(
  { store, clock }: ResendDeps,
  id: number,
  n: number,
  { errorCode, message, neverSent, answer }: Extract<RedeemOutcome, { status: 'refused' }>,
): Promise<DoubtVerdict> {
  const proof = neverSent ? 'never_sent' : 'answer';
  const answered = { ...toStoredAnswer(answer), errorCode, message };
  await store.write((tables) => tables.attempts.pass(id, n, { proof, answered }, clock.now()));
  return { status: 'postponed', why: 'sentAgain' };
}

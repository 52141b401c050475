// The embedded stand-ins for the top-up platform: each redeems any well-formed code once, for any player, and all keep
// one truth. What a code does besides is told by how it begins (codes.ts). They know nothing of what the service
// believes.
import type { Clock } from '../../clock.ts';
import type {
  CallOptions,
  CodeOutcome,
  PlatformOrder,
  Platform,
  RedeemOutcome,
  RefusalCode,
} from '../port.ts';
import { behaviourOf, isMute, type CodeBehaviour, type SandboxNumber } from './codes.ts';
import { openLedger, type Ledger, type LedgerRow } from './ledger.ts';
import { accountOf, describePlayer, describeUse, sessionOf } from './people.ts';
import type { Use } from './people.ts';

export interface SandboxOptions {
  /** The sandbox's own SQLite file; made when missing. */
  path: string;
  /** Milliseconds every answer takes. */
  latencyMs: number;
  clock: Clock;
  /** Games whose receipts carry a player account id and a session token. */
  sessionGames?: readonly string[];
}

interface State extends SandboxOptions {
  ledger: Ledger;
  at: SandboxNumber;
}

const SETTLING_MS = 2_000;
const LOOK_PAUSE_MS = 500;
const CODE_LIFETIME_MS = 365 * 24 * 60 * 60 * 1000;
const CHANNEL_NAME = 'Sandbox Distribution';
const NOT_TOLD = {
  status: 'unreachable',
  message: 'The sandbox does not tell of this code.',
  doesNotTell: true,
} as const;
const UNREACHABLE = { status: 'unreachable', message: 'The sandbox cannot be reached.' } as const;

/**
 * Opens the sandbox. A redemption is on disk before the call first waits, so a crash of the caller never unmakes it.
 */
export const createSandbox = (options: SandboxOptions): Platform =>
  openAt({ ...options, ledger: openLedger(options.path), at: { number: 1, of: 1 } });

/** Opens so many over one truth: what one has redeemed is used at all. Each is closed by itself. */
export function createSandboxes({ count, ...options }: SandboxOptions & { count: number }): Platform[] {
  return Array.from({ length: count }, (_, index) =>
    openAt({
      ...options,
      ledger: openLedger(options.path),
      at: { number: index + 1, of: count },
    }),
  );
}

function openAt(state: State): Platform {
  return {
    name: 'sandbox',
    settlingMs: SETTLING_MS,
    lookPauseMs: LOOK_PAUSE_MS,
    redeem: (order, call) => redeem(state, order, call),
    findOrder: (order, call) =>
      answerQuery(state, call, () => {
        const row = findEffective(state, order.gameId, order.code);
        if (row?.reference !== order.reference || !row.hasOrder) return { status: 'notFound' as const };
        return { status: 'found' as const, productName: productNameOf(row.amount), ...amountOf(row.amount) };
      }),
    findCharacter: async ({ gameId, playerId }, call) =>
      playerId.startsWith('503')
        ? UNREACHABLE
        : answerQuery(state, call, () => {
            if (playerId.startsWith('404')) return { status: 'notFound' as const };
            const { openid, name } = describePlayer(gameId, playerId);
            return { status: 'found' as const, openid, name };
          }),
    findCode: (query, call) => findCode(state, query, call),
    isReachable: () => Promise.resolve(true),
    close: () => state.ledger.close(),
  };
}

async function findCode(
  state: State,
  { gameId, code }: { gameId: string; code: string },
  call: CallOptions,
): Promise<CodeOutcome> {
  const behaviour = behaviourOf(code, state.at);
  if (behaviour.kind === 'unreachable') return UNREACHABLE;
  return answerQuery(state, call, () => {
    if (isMute(code)) return NOT_TOLD;
    const isUsed = behaviour.kind === 'refuses' && behaviour.errorCode === 'CODE_USED';
    return toCodeOutcome(state, isUsed ? describeUse(gameId, code) : state.ledger.find(gameId, code));
  });
}

async function redeem(state: State, order: PlatformOrder, { signal }: CallOptions): Promise<RedeemOutcome> {
  const behaviour = behaviourOf(order.code, state.at);
  if (signal.aborted)
    return { ...refuse('NETWORK_ERROR', 'Given up before anything was sent.', false), neverSent: true };
  if (behaviour.kind === 'unreachable') {
    return {
      ...refuse('NETWORK_ERROR', 'The connection to the sandbox was refused.', false),
      neverSent: true,
    };
  }
  if (order.playerId.startsWith('503')) {
    return refuse('CHARACTER_NOT_FOUND', 'The look-up of the player cannot be reached.', false);
  }
  try {
    return await carryOut(state, order, behaviour, signal);
  } catch {
    // The file failed at the write: whether the row is in it, only the file knows.
    return { status: 'unknown', errorCode: 'UNKNOWN', message: 'The sandbox broke while it was redeeming.' };
  }
}

async function carryOut(
  state: State,
  order: PlatformOrder,
  behaviour: Exclude<CodeBehaviour, { kind: 'unreachable' }>,
  signal: AbortSignal,
): Promise<RedeemOutcome> {
  // Everything up to the first await, the write above all, happens before the caller gets the promise.
  const refusal = findRefusal(order, behaviour);
  if (refusal) return answer(refusal, state.latencyMs, signal);
  if (behaviour.kind !== 'redeems') return silence(signal);
  const earlier = writeRow(state, order, behaviour) ? undefined : state.ledger.find(order.gameId, order.code);
  if (earlier && !isRepeated(earlier, order))
    return answer(refuseUsed(earlier, order), state.latencyMs, signal);
  // An answer is lost once: the same order again is told what became of it, as soon as that has happened.
  const isDone = earlier !== undefined && earlier.redeemedAt <= state.clock.now();
  if (behaviour.answer === 'never' && !isDone) return silence(signal);
  const delayMs = (!isDone && behaviour.delayMs) || state.latencyMs;
  if (behaviour.answer === 'garbled') {
    return answer(
      { status: 'unknown', errorCode: 'INVALID_ACTIVATION_RESPONSE', message: 'The answer cannot be read.' },
      delayMs,
      signal,
    );
  }
  return answer(receiptFor(state, order, behaviour), delayMs, signal);
}

function findRefusal(order: PlatformOrder, behaviour: CodeBehaviour): RedeemOutcome | undefined {
  if (order.playerId.startsWith('404')) return refuse('CHARACTER_NOT_FOUND', 'There is no such player.');
  if (behaviour.kind === 'refuses') {
    return refuse(behaviour.errorCode, `The sandbox refuses this code: ${behaviour.errorCode}.`);
  }
  return undefined;
}

function writeRow(
  state: State,
  order: PlatformOrder,
  behaviour: Extract<CodeBehaviour, { kind: 'redeems' }>,
): boolean {
  const player = describePlayer(order.gameId, order.playerId);
  return state.ledger.insert({
    gameId: order.gameId,
    code: order.code,
    reference: order.reference,
    playerId: order.playerId,
    openid: player.openid,
    playerName: player.name,
    amount: behaviour.amount ?? null,
    hasOrder: behaviour.hasOrder ? 1 : 0,
    redeemedAt: state.clock.now() + behaviour.delayMs,
  });
}

/** The same order once more, under its own reference: its answer is what it was. */
const isRepeated = (earlier: LedgerRow, { reference, playerId }: PlatformOrder): boolean =>
  earlier.reference === reference && earlier.playerId === playerId;

const refuseUsed = ({ playerId }: LedgerRow, order: PlatformOrder): RedeemOutcome => ({
  ...refuse('CODE_USED', 'This code was redeemed before.'),
  ...(playerId === order.playerId && { usedByPlayer: true }),
});

function receiptFor(
  state: State,
  order: PlatformOrder,
  { amount, hasOrder }: Extract<CodeBehaviour, { kind: 'redeems' }>,
): RedeemOutcome {
  const credentials = state.sessionGames?.includes(order.gameId) ? sessionOf(order) : accountOf(order);
  return {
    status: 'redeemed',
    receipt: {
      ...describePlayer(order.gameId, order.playerId),
      ...credentials,
      ...(hasOrder ? { productName: productNameOf(amount) } : {}),
      ...amountOf(amount),
    },
  };
}

function toCodeOutcome({ clock }: State, row: Use | undefined): CodeOutcome {
  if (!row) return { status: 'notRedeemed' };
  if (row.redeemedAt > clock.now()) return { status: 'underWay' };
  return {
    status: 'redeemed',
    redeemedAt: row.redeemedAt,
    toldAt: clock.now(),
    expiresAt: row.redeemedAt + CODE_LIFETIME_MS,
    channelName: CHANNEL_NAME,
    openid: row.openid,
    amount: row.amount ?? 0,
    productName: productNameOf(row.amount),
    playerId: row.playerId,
    playerName: row.playerName,
  };
}

function findEffective({ ledger, clock }: State, gameId: string, code: string): LedgerRow | undefined {
  const row = ledger.find(gameId, code);
  return row && row.redeemedAt <= clock.now() ? row : undefined;
}

/** Says what it is, through every service that passes it on. */
function productNameOf(amount: number | null | undefined): string {
  return typeof amount === 'number' ? `${amount} credits (sandbox)` : 'Top-up (sandbox)';
}

function amountOf(amount: number | null | undefined): { amount?: number } {
  return typeof amount === 'number' ? { amount } : {};
}

function refuse(errorCode: RefusalCode, message: string, asked = true) {
  return { status: 'refused', errorCode, message, asked } as const;
}

async function answer(outcome: RedeemOutcome, delayMs: number, signal: AbortSignal): Promise<RedeemOutcome> {
  return (await pause(delayMs, signal)) ? outcome : givenUp();
}

async function silence(signal: AbortSignal): Promise<RedeemOutcome> {
  await pause(Infinity, signal);
  return givenUp();
}

function givenUp(): RedeemOutcome {
  return { status: 'unknown', errorCode: 'UNKNOWN', message: 'The sandbox did not answer in time.' };
}

async function answerQuery<T>(
  state: State,
  { signal }: CallOptions,
  read: () => T,
): Promise<T | typeof UNREACHABLE> {
  if (!(await pause(state.latencyMs, signal))) return UNREACHABLE;
  try {
    return read();
  } catch {
    return UNREACHABLE;
  }
}

/** True when the time has passed, false as soon as the signal gives up. For ever when `ms` is infinite. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  if (ms === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = ms === Infinity ? undefined : setTimeout(() => finish(true), ms);
    const giveUp = () => finish(false);
    const finish = (passed: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(passed);
    };
    signal.addEventListener('abort', giveUp, { once: true });
  });
}

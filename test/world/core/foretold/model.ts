// What the core promises, written the plain way: maps, lists and sums. It shares no code with src/, so that both being
// wrong in the same way is unlikely. Doubts are left to world.ts, since their timing is the core's own business.
export const WINDOW_MS = 24 * 60 * 60 * 1000;
const LIMIT_QUARTERS = 1200;

type CodeState =
  'available' | 'unverified' | 'in_doubt' | 'redeemed' | 'used' | 'invalid' | 'extracted' | 'undone';

/** One entry of the code database; a code that left it can come again as another entry. */
export interface ModelCode {
  code: string;
  account: number;
  denomination: number;
  batchId: number;
  state: CodeState;
  /** Where it returns to from a doubt. */
  from: CodeState;
  /** How often it came back refused for no fault of its own. */
  returns: number;
}

export interface ModelUsage {
  at: number;
  daily: number;
  purchased: number;
  returned: boolean;
}

export interface ModelRedemption {
  id: number;
  account: number;
  playerId: string;
  mode: 'database' | 'direct';
  denomination: number | undefined;
  code: string | undefined;
  entry: ModelCode | undefined;
  usage: ModelUsage | undefined;
  state: 'in_doubt' | 'redeemed' | 'failed';
  errorCode: string | undefined;
  codeReset: boolean;
  /** Of the same code and under way when this one was refused: they are settled together. */
  first?: ModelRedemption;
  /** Ever in doubt. */
  doubted: boolean;
  /** When it began, by the calendar, and when it fell in doubt, in time that only grows. */
  createdAt: number;
  doubtedElapsed: number;
}

export interface ModelAccount {
  usages: ModelUsage[];
  bought: number;
}

export interface ModelKey {
  request: string;
  at: number;
  redemption?: ModelRedemption;
  extracted?: string[];
  /** When the extraction ended, by the calendar. */
  endedAt?: number;
}

export interface Model {
  accounts: ModelAccount[];
  /** In the order in which they were added: the oldest first. */
  codes: ModelCode[];
  redemptions: ModelRedemption[];
  /** By account and key. */
  keys: Map<string, ModelKey>;
  batches: number[];
}

export function createModel(accounts: { purchased: number }[]): Model {
  return {
    accounts: accounts.map(({ purchased }) => ({ usages: [], bought: purchased * 4 })),
    codes: [],
    redemptions: [],
    keys: new Map(),
    batches: [],
  };
}

export const accountOf = (model: Model, index: number): ModelAccount => {
  const account = model.accounts[index];
  if (!account) throw new Error(`The model has no account ${index}.`);
  return account;
};

/** What counts in the 24 hours before `now`. */
export function usedAt(account: ModelAccount, now: number): number {
  return account.usages
    .filter((usage) => !usage.returned && usage.at > now - WINDOW_MS)
    .reduce((sum, { daily }) => sum + daily, 0);
}

export function purchasedLeft(account: ModelAccount): number {
  return account.usages
    .filter((usage) => !usage.returned)
    .reduce((left, { purchased }) => left - purchased, account.bought);
}

/** Books a usage, daily first; undefined when there is no room. */
export function usageModel(account: ModelAccount, cost: number, now: number): ModelUsage | undefined {
  const daily = Math.min(cost, Math.max(0, LIMIT_QUARTERS - usedAt(account, now)));
  const purchased = cost - daily;
  if (purchased > purchasedLeft(account)) return undefined;
  const usage = { at: now, daily, purchased, returned: false };
  account.usages.push(usage);
  return usage;
}

/** The entry that somebody owns now. */
export const findOwned = (model: Model, code: string): ModelCode | undefined =>
  model.codes.find((entry) => entry.code === code && entry.state !== 'extracted' && entry.state !== 'undone');

/** The redemption that holds or has spent a code. */
export const findLive = (model: Model, code: string): ModelRedemption | undefined =>
  model.redemptions.find((redemption) => redemption.code === code && redemption.state !== 'failed');

export const isTakeable = ({ state }: ModelCode): boolean => state === 'available' || state === 'unverified';

/**
 * Codes that can be taken, at most `amount`, in the order of taking: the oldest of those that came back least often are
 * at the head, where redemptions take; hand-outs take from the tail, those that came back last. Unverified ones are
 * asked about first: the spent are put aside, the others are available from then on.
 */
export function takeFrom(
  end: 'head' | 'tail',
  model: Model,
  stockKey: { account: number; denomination: number; amount: number },
  isSpent: (code: string) => boolean,
): ModelCode[] {
  const taken: ModelCode[] = [];
  const inOrder = model.codes.toSorted((a, b) => a.returns - b.returns);
  const [fresh, givenBack] = [inOrder.filter(isFresh), inOrder.filter((entry) => !isFresh(entry))];
  for (const entry of end === 'head' ? inOrder : [...fresh.reverse(), ...givenBack.reverse()]) {
    if (taken.length === stockKey.amount) break;
    if (
      entry.account !== stockKey.account ||
      entry.denomination !== stockKey.denomination ||
      !isTakeable(entry)
    )
      continue;
    if (entry.state === 'unverified') entry.state = isSpent(entry.code) ? 'used' : 'available';
    if (entry.state === 'available') taken.push(entry);
  }
  return end === 'head' ? taken : inOrder.filter((entry) => taken.includes(entry));
}

const isFresh = ({ returns }: ModelCode): boolean => returns === 0;

/** What is to be told of a code that is added. */
export function judgeAdded(
  model: Model,
  code: string,
  account: number,
): 'accepted' | 'used' | 'disowned' | 'invalid' {
  if (!/^[A-Za-z0-9]{12,32}$/.test(code)) return 'invalid';
  const entry = findOwned(model, code);
  if (entry) return entry.state === 'redeemed' || entry.account === account ? 'used' : 'disowned';
  const live = findLive(model, code);
  if (!live) return 'accepted';
  return live.state === 'redeemed' || live.account === account ? 'used' : 'disowned';
}

type Fate = { code: 'back' | 'used' | 'invalid'; charged: boolean };

/** The table of errorCodes of the wire document, for refusals of the platform. */
export const REFUSALS: Record<string, Fate & { asked: boolean }> = {
  CHARACTER_NOT_FOUND: { code: 'back', charged: true, asked: true },
  'CHARACTER_NOT_FOUND unasked': { code: 'back', charged: false, asked: false },
  INVALID_CODE: { code: 'invalid', charged: true, asked: true },
  CODE_USED: { code: 'used', charged: true, asked: true },
  NO_ACCOUNTS_AVAILABLE: { code: 'back', charged: false, asked: true },
  LOGIN_FAILED: { code: 'back', charged: false, asked: true },
  RISK_CONTROL: { code: 'back', charged: true, asked: true },
  NETWORK_ERROR: { code: 'back', charged: false, asked: false },
};

/** What a code cannot help: it steps behind the others. */
const STEPS_BACK = ['LOGIN_FAILED', 'RISK_CONTROL'];

/** What a redemption tells for having failed; a duplicate what became of its first. */
export function errorCodeOf({ errorCode, first }: ModelRedemption): string | undefined {
  if (!first || first.state === 'in_doubt') return errorCode;
  return first.state === 'redeemed' || first.errorCode === 'CODE_USED' ? 'CODE_USED' : 'NETWORK_ERROR';
}

/** Ends a redemption without a receipt. */
export function failModel(redemption: ModelRedemption, errorCode: string, fate: Fate): void {
  const { entry, usage } = redemption;
  redemption.state = 'failed';
  redemption.errorCode = errorCode;
  redemption.codeReset = fate.code === 'back' && redemption.mode === 'database' && entry !== undefined;
  if (entry) entry.state = fate.code === 'back' ? entry.from : fate.code;
  if (entry && STEPS_BACK.includes(errorCode)) entry.returns += 1;
  if (usage && !fate.charged) usage.returned = true;
}

export function redeemModel(redemption: ModelRedemption): void {
  redemption.state = 'redeemed';
  redemption.errorCode = undefined;
  if (redemption.entry) redemption.entry.state = 'redeemed';
}

export function doubtModel(redemption: ModelRedemption, errorCode: string, elapsed: number): void {
  redemption.state = 'in_doubt';
  redemption.errorCode = errorCode;
  redemption.doubted = true;
  redemption.doubtedElapsed = elapsed;
  if (redemption.entry) redemption.entry.state = 'in_doubt';
}

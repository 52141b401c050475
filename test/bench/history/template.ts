// A past made by the real core, on a clock that is moved: two accounts, each with redemptions of every outcome, from
// the code database and with the code in the request, and codes left in stock. cloning.ts makes millions of it.
import { createManualClock, type ManualClock } from '../../../src/clock.ts';
import type { ApiKeyActor } from '../../../src/core/index.ts';
import type { Platform, RedeemOutcome, RefusalCode } from '../../../src/platform/port.ts';
import { actorOf, makeCodes, openBenchCore, type BenchCore } from '../bench-core.ts';
import { createInstantPlatform } from '../instant-platform.ts';
import { DENOMINATION, GAME_ID, RECEIPT } from '../terms.ts';

/** What one copy of an account holds; the big account holds many copies. */
const REDEMPTIONS = 750;
const STOCK = { ordinary: 250, big: 750 };

const DAY_MS = 24 * 60 * 60 * 1000;
const PAST_MS = 97 * DAY_MS;
/** Between two redemptions of an account: room for the copies, each a little later than the one before. */
export const STEP_MS = Math.floor(PAST_MS / REDEMPTIONS);
/** Of the last day, which the window of the quota still holds. */
const OF_TODAY = 40;
const PLAYERS = 100;
/** Odd, so that both accounts and both ways of redeeming have failures. */
const FAILS_EVERY = 19;
const FAILURES: readonly RefusalCode[] = [
  'INVALID_CODE',
  'CHARACTER_NOT_FOUND',
  'CODE_USED',
  'NETWORK_ERROR',
  'LOGIN_FAILED',
];

interface TemplateAccount {
  actor: ApiKeyActor;
  apiKey: string;
  ownerTelegramId: number;
}

export interface Template {
  ordinary: TemplateAccount;
  big: TemplateAccount;
  /** When it ends. */
  madeAt: number;
  /** Of a code that was redeemed by the big account in the past. */
  redeemedCode: string;
}

/**
 * Makes the file. `atHalf` is called when all but the last day of both accounts is there, everything on disk and
 * nothing under way: what the big account has then can be copied into it again, since nothing of it is in the window of
 * its quota.
 */
export async function makeTemplate(path: string, atHalf: (big: number) => void): Promise<Template> {
  const madeAt = Date.now();
  const clock = createManualClock(madeAt - PAST_MS - 3 * DAY_MS);
  const bench = await openBenchCore({ path, clock, platform: createMoodyPlatform(), accounts: 0 });
  const ordinary = await openAccount(bench, 'Shop', 5_000_000_000);
  const big = await openAccount(bench, 'Big shop', 4_000_000_000);
  const direct = makeCodes(REDEMPTIONS);
  await stock(bench, ordinary, STOCK.ordinary + REDEMPTIONS / 2);
  await stock(bench, big, STOCK.big + REDEMPTIONS / 2);
  for (let done = 0; done < REDEMPTIONS; done += 1) {
    clock.advance(STEP_MS);
    await Promise.all([redeem(bench, ordinary, done, undefined), redeem(bench, big, done, direct[done])]);
  }
  atHalf(big.actor.accountId);
  moveTo(clock, madeAt - DAY_MS);
  for (let done = 0; done < OF_TODAY; done += 1) {
    clock.advance(Math.floor((DAY_MS - 2 * STEP_MS) / OF_TODAY));
    await Promise.all([ordinary, big].map((account) => redeem(bench, account, done, undefined)));
  }
  await bench.close();
  return { ordinary, big, madeAt, redeemedCode: direct[1] ?? '' };
}

async function openAccount(bench: BenchCore, name: string, telegramId: number): Promise<TemplateAccount> {
  const host = { kind: 'host', by: 'cli' } as const;
  const { core } = bench;
  const opened = await core.accounts.create(host, { name, days: 3650, purchased: 1_000_000 });
  const invitation = await core.members.inviteOwner(host, opened.accountId, `owner of ${name}`);
  if (!invitation) throw new Error('A new account cannot have an owner already.');
  await core.members.join({ telegramId, name, username: `owner_${telegramId}` }, invitation.token);
  return { actor: actorOf(core, opened.apiKey), apiKey: opened.apiKey, ownerTelegramId: telegramId };
}

async function stock(bench: BenchCore, { actor }: TemplateAccount, count: number): Promise<void> {
  await bench.core.codes.add(actor, GAME_ID, [{ denomination: DENOMINATION, codes: makeCodes(count) }]);
}

/** Every second one with the code in the request. */
async function redeem(
  bench: BenchCore,
  { actor }: TemplateAccount,
  index: number,
  given: string | undefined,
): Promise<void> {
  const player = { gameId: GAME_ID, playerId: `5124${String(index % PLAYERS).padStart(3, '0')}` };
  const what = index % 2 === 0 ? { denomination: DENOMINATION } : { code: given ?? makeCodes(1)[0] ?? '' };
  const answer = await bench.core.redeem(actor, { ...player, ...what });
  if (answer.status !== 'answered') throw new Error(`A redemption of the past went wrong: ${answer.status}`);
}

function moveTo(clock: ManualClock, moment: number): void {
  clock.advance(moment - clock.now());
}

function createMoodyPlatform(): Platform {
  let asked = 0;
  const redeem = (): RedeemOutcome => {
    asked += 1;
    const errorCode = FAILURES[Math.floor(asked / FAILS_EVERY) % FAILURES.length];
    if (asked % FAILS_EVERY !== 0 || errorCode === undefined) return { status: 'redeemed', receipt: RECEIPT };
    return { status: 'refused', errorCode, message: 'The platform refused.', asked: true };
  };
  return { ...createInstantPlatform(), redeem: () => Promise.resolve(redeem()) };
}

// What became of a redemption is what the platform said of it, and costs what the table of outcomes says (wire.md): the
// usage stands or is returned, and the code lies where it belongs.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { hashOf } from './ledger.ts';
import { triedAgain } from './pauses.ts';

interface Row {
  id: number;
  accountId: number;
  actor: string;
  /** '' where nothing was sent. */
  reference: string;
  state: string;
  errorCode: string | null;
  codeReset: number;
  doubted: number | null;
  mode: string;
  code: string | null;
  daily: number | null;
  purchased: number | null;
  returnedAt: number | null;
}

const WHOLE = 4;
const ENDED = `
  select r.id, r.account_id as accountId, r.actor, coalesce((select reference from attempts where redemption_id = r.id and n = 1 and proof is not 'never_sent'), '') as reference, r.state, r.error_code as errorCode, r.code_reset as codeReset, r.doubted_at as doubted, r.mode,
    c.state as code, p.daily, p.purchased, p.returned_at as returnedAt
  from redemptions r left join usages p on p.id = r.usage_id left join codes c on c.id = r.code_id
  where r.settled_at is not null and r.id > ?`;

/** Charged once the platform was asked; the others never are. */
const CHARGED = new Set(['CHARACTER_NOT_FOUND', 'INVALID_CODE', 'CODE_USED', 'RISK_CONTROL']);
const KEPT_ASIDE: Readonly<Record<string, string>> = { CODE_USED: 'used', INVALID_CODE: 'invalid' };

const endedToday = ({ disk, diary }: World) =>
  look(disk.databasePath(), (file) => file.prepare(ENDED).all(diary.judgedRedemption) as Row[]);

export function everyOutcomeCostsWhatItSays(world: World): string[] {
  return endedToday(world).flatMap((row) => {
    const { id, actor, reference, state, errorCode, returnedAt } = row;
    const cost = row.daily === null || returnedAt !== null ? 0 : row.daily + (row.purchased ?? 0);
    const wasAsked = world.platform.asked.has(reference);
    // Of the lost time: charged once it is somebody's order, as far as the account has any.
    if (state === 'redeemed' && !wasAsked && (actor !== 'lost' || cost === 0)) return [];
    // Found to be spent when what a dead process began is asked about: charged, too.
    if (errorCode === 'CODE_USED' && !wasAsked) return [];
    const isDue = state === 'redeemed' || (CHARGED.has(errorCode ?? '') && wasAsked);
    if (cost === (isDue ? WHOLE : 0)) return [];
    return [`redemption ${id} (${errorCode ?? state}) is charged ${cost} quarters`];
  });
}

export function everyOutcomeIsWhatThePlatformSaid(world: World): string[] {
  return endedToday(world).flatMap(({ id, reference, state, errorCode, doubted }) => {
    const told = world.platform.toldOf(reference);
    // Who was in doubt has asked once more.
    if (told === undefined || doubted !== null || told === 'unknown') return [];
    const isOwnDoubt = told === 'CODE_USED' && state === 'redeemed';
    return isOwnDoubt || told === (errorCode ?? state)
      ? []
      : [`the platform said ${told} of redemption ${id}, and it is ${errorCode ?? state}`];
  });
}

export function everyCodeLiesWhereItBelongs(world: World): string[] {
  const again = triedAgain(world);
  return endedToday(world).flatMap(({ id, accountId, state, errorCode, codeReset, mode, code }) => {
    if (code === null) return [];
    const aside = state === 'redeemed' ? 'redeemed' : KEPT_ASIDE[errorCode ?? ''];
    if (aside !== undefined)
      return code === aside || (state === 'failed' && again.has(accountId))
        ? []
        : [`the code of redemption ${id} (${errorCode ?? state}) is ${code}`];
    return mode === 'direct' || codeReset === 1
      ? []
      : [`the code of redemption ${id} (${errorCode}) is not told as returned`];
  });
}

const ASIDE = "select code_hash from codes where state = 'invalid'";

/** A code that we have spent is put aside as used, never as one that is none. */
export function whatIsSpentIsNotCalledMalformed({ disk, platform }: World): string[] {
  const hashes = look(disk.databasePath(), (file) => file.prepare(ASIDE).pluck().all() as Buffer[]);
  if (hashes.length === 0) return [];
  const spent = new Map(
    [...platform.spent.values()]
      .filter(({ reference }) => reference !== undefined)
      .map((each) => [hashOf(each.gameId, each.code), each.code]),
  );
  return hashes.flatMap((hash) => {
    const code = spent.get(hash.toString('hex'));
    return code === undefined ? [] : [`${code} is spent, and put aside as no code`];
  });
}

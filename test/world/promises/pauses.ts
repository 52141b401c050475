// A denomination whose codes are refused one after another is paused, until somebody says that it goes on.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const MOST = 5;
const OF_STOCK = `
  select account_id || ' ' || game_id || ' ' || denomination as stockKey, account_id as accountId, id, state, error_code as errorCode,
    created_at as begun, settled_at as settled
  from redemptions where mode = 'database' and code_id is not null and created_at > ? order by coalesce(settled_at, created_at), id`;

interface Row {
  stockKey: string;
  accountId: number;
  id: number;
  state: string;
  errorCode: string | null;
  begun: number;
  settled: number | null;
}

/** Whose refused codes were tried again today. */
export const triedAgain = ({ diary, members }: World): Set<number | undefined> =>
  new Set([...diary.triedAgain].map((id) => members.get(id)?.accountId));

export function fiveRefusalsPauseADenomination({ disk, diary, members }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(OF_STOCK).all(diary.judgedUntil) as Row[]);
  return [...Map.groupBy(rows, ({ stockKey }) => stockKey)].flatMap(([stockKey, ofStockKey]) => {
    const wentOn = diary.wentOn.filter(
      ({ userId }) => members.get(userId)?.accountId === ofStockKey[0]?.accountId,
    );
    let inARow = 0;
    for (const { state, errorCode, settled } of ofStockKey) {
      if (state === 'redeemed') inARow = 0;
      if (errorCode !== 'INVALID_CODE' && errorCode !== 'CODE_USED') continue;
      inARow += 1;
      if (inARow < MOST || settled === null) continue;
      const next = ofStockKey.find(({ begun }) => begun > settled);
      if (!next || wentOn.some(({ at }) => at >= settled && at <= next.begun)) continue;
      return [
        `redemption ${next.id} took a code of ${stockKey}, of which ${inARow} were just refused in a row`,
      ];
    }
    return [];
  });
}

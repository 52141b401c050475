// The same key again is the same redemption, unless it ended at once and cost nothing: then the order number is free,
// and is tried anew.
import { look } from '../run/rest.ts';
import type { Wish } from '../run/diary.ts';
import type { World } from '../run/world.ts';
import { WRONG_BY_MS } from './keys.ts';

interface Row {
  id: number;
  state: string;
  doubtedAt: number | null;
  tookMs: number;
  isDuplicate: number;
  isFree: number;
}

/** From the document of the wire. */
const ANSWERED_WITHIN_MS = 55_000;
const OF_PLAYER = `
  select r.id, r.state, r.doubted_at as doubtedAt, r.took_ms as tookMs,
    (r.usage_id is null and r.error_code in ('UNKNOWN', 'CODE_USED', 'NETWORK_ERROR')) as isDuplicate,
    (r.usage_id is null or (select c.returned_at is not null from usages c where c.id = r.usage_id)) as isFree
  from redemptions r
  where r.account_id = ? and r.player_id = ? and r.actor like 'apiKey:%' and r.created_at > ? order by r.id`;

export function aKeyIsFreeAfterAFailureThatCostNothing({ disk, diary }: World): string[] {
  return look(disk.databasePath(), (file) => {
    const find = file.prepare(OF_PLAYER);
    return diary.wishes.flatMap((wish) =>
      wish.key === undefined
        ? []
        : judge(wish, find.all(wish.account, wish.playerId, wish.at - WRONG_BY_MS) as Row[]),
    );
  });
}

function judge({ playerId, key, answers }: Wish, rows: readonly Row[]): string[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const wrong: string[] = [];
  for (const [index, row] of rows.entries())
    if (index < rows.length - 1 && !isFinalAndFree(row))
      wrong.push(
        `${playerId}: redemption ${row.id} under ${key} did not end at once for nothing, and another began`,
      );
  for (const [index, { id, told }] of answers.entries()) {
    const row = byId.get(id ?? 0);
    const next = answers[index + 1];
    // Who asks while it is under way is told the same.
    const isLater = next !== undefined && next.asked > told;
    if (row && isLater && next.id === id && isFinalAndFree(row) && row.isDuplicate === 0)
      wrong.push(`${playerId}: redemption ${id} cost nothing, and ${key} is still bound to it`);
  }
  return wrong;
}

const isFinalAndFree = ({ state, doubtedAt, tookMs, isFree }: Row): boolean =>
  state === 'failed' && doubtedAt === null && tookMs < ANSWERED_WITHIN_MS && isFree === 1;

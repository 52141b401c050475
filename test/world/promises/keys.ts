// What a program was answered is what the books say, one key is one redemption, and what a client repeats by itself is
// never answered after a code was taken.
import { isRepeated } from '../people/client.ts';
import { look } from '../run/rest.ts';
import type { Wish } from '../run/diary.ts';
import type { World } from '../run/world.ts';

interface Row {
  id: number;
  state: string;
  errorCode: string | null;
}

/** What may still turn out to be redeemed. */
const IN_DOUBT = new Set(['UNKNOWN', 'INVALID_ACTIVATION_RESPONSE']);

/** More than any calendar was wrong by. What the same player got before a wish was another one's. */
export const WRONG_BY_MS = 2 * 24 * 60 * 60_000;
const OF_PLAYER = `
  select id, state, error_code as errorCode from redemptions
  where account_id = ? and player_id = ? and actor like 'apiKey:%' and created_at > ? order by id`;

export function keysKeepTheirWord({ disk, diary }: World): string[] {
  return look(disk.databasePath(), (file) => {
    const find = file.prepare(OF_PLAYER);
    return diary.wishes.flatMap((wish) =>
      judge(wish, find.all(wish.account, wish.playerId, wish.at - WRONG_BY_MS) as Row[]),
    );
  });
}

function judge({ playerId, key, answers, lost }: Wish, rows: readonly Row[]): string[] {
  const wrong: string[] = [];
  const redeemed = rows.filter(({ state }) => state === 'redeemed');
  const most = key === undefined ? 1 + lost : 1;
  if (rows.length > most && redeemed.length > most)
    wrong.push(`${playerId}: ${redeemed.length} redemptions for one wish`);
  for (const [index, { status, id, errorCode }] of answers.entries()) {
    const row = rows.find((each) => each.id === id);
    const later = new Set(answers.slice(index + 1).map((answer) => answer.id));
    if (status === 200 && row?.state !== 'redeemed')
      wrong.push(`${playerId} was answered 200, and the books say ${row?.state ?? 'nothing'}`);
    // Under a key whatever is repeated is the same redemption.
    if (key === undefined && isRepeated(status) && lost === 0 && rows.some((each) => !later.has(each.id)))
      wrong.push(`${playerId} was answered ${status} after a redemption had begun`);
    if (
      status === 503 &&
      !IN_DOUBT.has(errorCode ?? 'UNKNOWN') &&
      redeemed.length > 0 &&
      lost === 0 &&
      answers.length === 1
    )
      wrong.push(`${playerId} was answered ${errorCode}, and the code is redeemed`);
  }
  return wrong;
}

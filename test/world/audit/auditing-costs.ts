// Of the evening's audit: what a look-up costs, and what is told of it beside the answer.
import { GOOD_MANNERS } from '../machine/platform.ts';
import type { Audit } from './auditing.ts';

const PLAYER = '5171000001';
const PATH = `/character?gameId=game_id_1&playerId=${PLAYER}`;
const SUM =
  'select coalesce(sum(daily + purchased), 0) as kept from usages where account_id = ? and returned_at is null';

/** Where nobody could be asked it costs nothing, else a quarter; and the headers tell what is left. */
export async function costs({ world, shop, read, rows }: Audit): Promise<string[]> {
  const sum = () => rows<{ kept: number }>(SUM, shop.accountId)[0]?.kept ?? 0;
  const before = sum();
  world.platform.manners = { ...GOOD_MANNERS, isAway: 1 };
  const failed = await read(PATH);
  world.platform.manners = GOOD_MANNERS;
  const between = sum();
  const told = await read(PATH);
  const after = sum();
  const wrong: string[] = [];
  // Whoever hears of nobody sends their customer away.
  if (failed.status === 404) wrong.push('a look-up that nobody could answer is told as that there is nobody');
  if (failed.status === 503 && between !== before)
    wrong.push(`a look-up that failed cost ${between - before} quarters`);
  if (told.status !== 200) return wrong;
  if (after - between !== 1) wrong.push(`a look-up cost ${after - between} quarters`);
  // It answers nothing that could be worth its price.
  const head = await read(PATH, shop.apiKey, 'HEAD');
  if (head.status !== 405 || sum() !== after)
    wrong.push(`HEAD is answered ${head.status}, and cost ${sum() - after} quarters`);
  return [...wrong, ...(await compareHeaders(told.headers, read))];
}

async function compareHeaders(headers: Headers, read: Audit['read']): Promise<string[]> {
  const { daily, purchased } = (await read('/quota')).json as {
    daily: { remaining: number };
    purchased: number;
  };
  const left = headers.get('ratelimit') ?? '';
  const item = (name: string) => Number(new RegExp(`"${name}";r=(\\d+)`).exec(left)?.[1] ?? Number.NaN);
  const wrong: string[] = [];
  if (item('daily') !== Math.floor(daily.remaining))
    wrong.push(`${left} is told beside ${daily.remaining} of the day`);
  if (left.includes('purchased') && item('purchased') !== Math.floor(purchased))
    wrong.push(`${left} is told beside ${purchased} that were bought`);
  return wrong;
}

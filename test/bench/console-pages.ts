// The pages of the console that row 30 asks for, by what they are: each filter of the receipts common and rare, deep
// pages both ways, the search, a receipt, statistics, and the day.
import type { Browser } from '../harness/console.ts';

export interface ConsolePage {
  name: string;
  /** Below /console. */
  path: string;
}

const DAY = /href="\/console\/receipts\?from=([\d-]+)&(?:amp;)?to=\1"/g;
const MOST_PER = 200;

/** Of an account with history, and with something under way. */
export async function openConsolePages(owner: Browser): Promise<ConsolePage[]> {
  const [days, newest] = [await owner.get('/statistics'), await owner.get('/receipts?state=redeemed')];
  const inUse = [...days.html.matchAll(DAY)].map(([, day = '']) => day);
  const day = inUse[Math.floor(inUse.length / 2)];
  const [, id] = /href="\/console\/receipts\/(\d+)"/.exec(newest.html) ?? [];
  const [, player] = /href="\/console\/receipts\?player=(\d+)"/.exec(newest.html) ?? [];
  const [, end] = /<code>…(\w+)<\/code>/.exec(newest.html) ?? [];
  const middle = await owner.get(`/receipts?to=${day}&per=10`);
  const [, deep] = /[?&;]after=([\w.]+)" rel="next"/.exec(middle.html) ?? [];
  if (!day || !id || !player || !end || !deep)
    throw new Error(`Row 30 does not find its way: ${day} ${id} ${player} ${end} ${deep}.`);
  const receipts: Record<string, string> = {
    receipts: '',
    'receipts, 200': `per=${MOST_PER}`,
    'oldest first': 'sort=at',
    redeemed: 'state=redeemed',
    failed: 'state=failed',
    open: 'state=open',
    'a day': `from=${day}&to=${day}`,
    'a day, failed': `from=${day}&to=${day}&state=failed`,
    'since a day': `from=${day}`,
    'until a day, oldest first': `to=${day}&sort=at`,
    'a player': `player=${player}`,
    'a player, 200, failed': `player=${player}&per=${MOST_PER}&state=failed`,
    nobody: 'player=0',
    'a name': 'name=play',
    'no name': 'name=zzzz',
    'an amount': 'amount=60',
    'no amount': 'amount=61',
    'a game': 'game=game_id_1',
    'an end of a code': `code=${end}`,
    'a key': 'key=2',
    'no key': 'key=999',
    'an error': 'error=CODE_USED',
    'no error': 'error=UNKNOWN',
    'an identifier': `id=${id}`,
    'deep, onward': `after=${deep}&per=${MOST_PER}`,
    'deep, back': `before=${deep}&per=${MOST_PER}`,
    'deep, no name': `after=${deep}&name=zzzz`,
    'deep, back, failed': `before=${deep}&state=failed`,
  };
  const searches = [player, end, 'Player', 'zzzzzz', '9999', 'state:failed', `player ${day}`];
  return [
    { name: 'Today', path: '' },
    ...Object.entries(receipts).map(([name, query]) => ({ name, path: `/receipts?${query}` })),
    ...searches.map((text) => ({
      name: `/receipts?q= ${text}`,
      path: `/receipts?q=${encodeURIComponent(text)}`,
    })),
    { name: 'a receipt', path: `/receipts/${id}` },
    { name: 'statistics', path: '/statistics' },
    { name: 'stock', path: '/stock' },
    { name: 'orders', path: '/orders' },
    { name: 'log', path: '/log' },
  ];
}

// Programs that wait for a change, each on a connection of its own: what two thousand of them take of the memory of the
// service, and that each is answered, at a change and at the end of the service.
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import type { Service } from '../torture/process.ts';
import { readAnonymousMb } from './service-process.ts';
import { DENOMINATION, GAME_ID } from './terms.ts';

const AT_ONCE = 50;
const PLAYER = { gameId: GAME_ID, playerId: '5124780131' };

/** In MB, after `settleMs`; ends the service. Half of them read an order, half a redemption in doubt. */
export async function measureReaders(
  service: Service,
  { apiKey, count, settleMs }: { apiKey: string; count: number; settleMs: number },
): Promise<number | undefined> {
  const { url } = service;
  const authorization = `Bearer ${apiKey}`;
  const post = async (path: string, body: object, headers = {}): Promise<string> => {
    const sent = { authorization, 'content-type': 'application/json', ...headers };
    const response = await fetch(url + path, { method: 'POST', headers: sent, body: JSON.stringify(body) });
    await response.arrayBuffer();
    if (response.status !== 202) throw new Error(`${path} was answered with ${response.status}.`);
    return response.headers.get('location') ?? path;
  };
  // Of more than there is, and a code that the sandbox never answers for.
  const wanted = { ...PLAYER, items: [{ denomination: DENOMINATION, count: 50 }], onShortage: 'wait' };
  const order = await post('/orders', wanted, { 'idempotency-key': 'readers' });
  const silent = { ...PLAYER, codeOverride: 'MUTE000000000001' };
  const doubt = await post('/redeem', silent, { prefer: 'respond-async' });
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const read = (path: string) =>
    new Promise<number>((resolve, reject) => {
      get(`${url}${path}?wait=50`, { agent, headers: { authorization } }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      }).once('error', reject);
    });
  const before = readAnonymousMb(service);
  const readers: Promise<number>[] = [];
  for (let n = 0; n < count; n += 1) {
    readers.push(read(n % 2 === 0 ? order : doubt));
    if (n % AT_ONCE === 0) await pause(10);
  }
  await pause(settleMs);
  const after = readAnonymousMb(service);
  await post(`${order}/cancel`, {});
  const ofOrder = await Promise.all(readers.filter((_, n) => n % 2 === 0));
  await service.kill('SIGTERM');
  const statuses = [...ofOrder, ...(await Promise.all(readers))];
  agent.destroy();
  if (statuses.some((status) => status !== 200)) throw new Error('A reader was not answered.');
  return before === undefined || after === undefined ? undefined : after - before;
}

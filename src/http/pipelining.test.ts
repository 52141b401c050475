// Requests sent behind each other on one connection: what is wrong with a later one never becomes the answer to an
// earlier one.
import { expect, test } from 'vitest';

import { KEY, RECEIPT } from '../../test/harness/scripted-core.ts';
import { connectRaw, startHttp } from '../../test/harness/sockets.ts';

const body = JSON.stringify({ playerId: '5124780131', gameId: 'game_id_1', denomination: 60 });
const redeem = `POST /redeem HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const answered = { status: 'answered' as const, redemption: RECEIPT, replayed: false };

/** A server whose redemptions end when the test says so, and begin in the order in which they were sent. */
async function startHeld() {
  let release = (): void => undefined;
  const held = new Promise<typeof answered>((resolve) => (release = () => resolve(answered)));
  // Far longer than a busy machine takes to read what is there already: only what never comes is late.
  const limits = { headersTimeoutMs: 400, requestTimeoutMs: 600 };
  const http = await startHttp({ redeem: () => held }, { limits });
  return { ...http, release: () => release() };
}

const broken = [
  ['chunks without a size', 'POST /db HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
  ['a body that does not end', redeem.slice(0, -5)],
  ['headers that do not end', 'POST /redeem HTTP/1.1\r\nHost: h\r\n'],
  ['no HTTP', '\x00garbage\r\n\r\n'],
  ['a tunnel', 'CONNECT example:443 HTTP/1.1\r\nHost: example:443\r\n\r\n'],
] as const;

test.each(broken)('redemptions under way are answered though behind them comes %s', async (_name, bytes) => {
  const http = await startHeld();
  const client = connectRaw(http.port);
  client.send(redeem + redeem + bytes);
  await expect.poll(() => http.core.asked).toHaveLength(2);
  // One that is as slow is refused meanwhile, so what came behind has been looked at.
  const slow = connectRaw(http.port);
  slow.send('GET /');
  expect((await slow.next()).status).toBe(408);
  http.release();
  for (const heard of [await client.next(), await client.next()])
    expect([heard.status, heard.body]).toEqual([200, expect.stringContaining('ActivationReceipt')]);
  await client.ended;
  await http.close();
});

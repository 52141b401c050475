// A Bot API that knows the name of a bot: `getMe` is answered with the status that the token begins with.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function nameTheBot(): Promise<{ root: string; close(): void }> {
  const server = createServer(({ url = '' }, response) => {
    const [, status = ''] = /^\/bot(\d+):hush\/getMe$/.exec(url) ?? [];
    response.writeHead(Number(status));
    response.end(JSON.stringify({ ok: status === '200', result: { username: 'shop_bot' } }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { root, close: () => void server.close() };
}

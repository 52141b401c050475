import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';

import { makeServiceFolder, spawnService } from '../test/torture/process.ts';

test('a port that is taken is told in one sentence that says what to do', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const { folder, remove } = makeServiceFolder();
  try {
    const start = spawnService({ folder, env: { PORT: String(port) } });
    await expect(start).rejects.toMatchObject({
      stderr: expect.stringContaining(
        `Port ${port} is taken by another program, perhaps by another copy of this one. End that, or set PORT to a free one.\n`,
      ) as unknown,
    });
  } finally {
    other.close();
    remove();
  }
});

test('SIGTERM lets a balancer see that it stops, a second one ends it at once; Ctrl-C ends it in order', async () => {
  const [drained, interrupted] = [makeServiceFolder(), makeServiceFolder()];
  const [service, other] = await Promise.all([
    spawnService({ folder: drained.folder }),
    spawnService({ folder: interrupted.folder }),
  ]);
  try {
    service.signal('SIGTERM');
    await expect.poll(() => service.log()).toContain('"msg":"stopping');
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
    expect(await service.kill('SIGTERM')).toEqual({ code: 1, signal: null });
    expect(await other.kill('SIGINT')).toEqual({ code: 0, signal: null });
  } finally {
    for (const one of [service, other]) one.signal('SIGKILL');
    drained.remove();
    interrupted.remove();
  }
});

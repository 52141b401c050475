import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';

import { makeServiceFolder, spawnService } from '../test/harness/service.ts';

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

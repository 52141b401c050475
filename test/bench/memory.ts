// Row 9: the resident memory of the real process, idle and after it has worked. The work arrives over HTTP; the platform is
// the sandbox without latency.
import { setTimeout as pause } from 'node:timers/promises';

import { DENOMINATION, GAME_ID, makeCodes, makeFolder } from './bench-core.ts';
import { atMost, type BenchGroup, type Figure } from './figures.ts';
import { startClient } from './http-load.ts';
import { runCli, startService, type Service } from './service-process.ts';

const SETTLED_AFTER_MS = 3_000;
const CODES_A_REQUEST = 10_000;

export const memory: BenchGroup = {
  rows: [9],

  async measure(_asked, options) {
    const count = options.quick ? 10_000 : 100_000;
    const { folder, remove } = makeFolder();
    const service = await startService(folder);
    options.tell('memory: idle');
    await pause(SETTLED_AFTER_MS);
    const idleMb = service.residentMb();
    const words = ['account', 'create', '--name', 'Shop', '--days', '30', '--purchased', String(count)];
    const { apiKey } = runCli(folder, ...words) as { apiKey: string };

    options.tell(`memory: importing ${count} codes, redeeming them`);
    for (let added = 0; added < count; added += CODES_A_REQUEST) await addCodes(service, apiKey);
    const client = startClient();
    await client.run({ port: service.port, connections: 64, apiKeys: [apiKey], requests: count });
    client.close();
    await pause(SETTLED_AFTER_MS);
    const workedMb = service.residentMb();
    await service.stop();
    remove();
    const size = count.toLocaleString('en');
    return [
      describe('resident memory, idle', idleMb, 120),
      describe(`resident memory after ${size} redemptions and an import of ${size}`, workedMb, 250),
    ];
  },
};

function describe(figure: string, ours: number | undefined, goal: number): Figure {
  if (ours === undefined) return { row: 9, figure, ours: 'skipped: no /proc', goal: `<= ${goal} MB` };
  return atMost(9, figure, { ours, goal, unit: 'MB' });
}

async function addCodes(service: Service, apiKey: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${service.port}/db?gameId=${GAME_ID}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ denomination: DENOMINATION, codes: makeCodes(CODES_A_REQUEST) }]),
  });
  if (!response.ok)
    throw new Error(`Adding codes was answered with ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

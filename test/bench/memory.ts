// Row 9: the anonymous memory of the real process (RssAnon: what is not a file in memory), idle and after it has
// worked. The work arrives over HTTP; the platform is the sandbox without latency.
import { setTimeout as pause } from 'node:timers/promises';

import { makeCodes } from './bench-core.ts';
import { count as told, roundsOf, scaled, skipped, value, type BenchGroup } from './figures.ts';
import { makeFolder } from './folders.ts';
import { startClient } from './http-load.ts';
import { takeTurns } from './rounds.ts';
import { runCli, startService, type Service } from './service-process.ts';
import { AT_ONCE, DENOMINATION, GAME_ID } from './terms.ts';

const CODES_A_REQUEST = 10_000;

export const memory: BenchGroup = {
  rows: [9],

  async measure(_row, options) {
    const work = scaled(options, { tiny: 200, quick: 20_000, normal: 100_000 });
    const settleMs = scaled(options, { tiny: 100, quick: 3_000, normal: 3_000 });
    const size = told(work);
    const titles = [
      'anonymous memory (RssAnon), idle',
      `anonymous memory after ${size} redemptions and an import of ${size}`,
    ] as const;
    options.tell(`9: ${size} redemptions and codes`);
    const { mb, load } = await takeTurns(roundsOf(options), { mb: () => measureOnce(work, settleMs) });
    const [idle, worked] = [mb.map(([first]) => first), mb.map(([, second]) => second)];
    if (![...idle, ...worked].every((each) => each !== undefined))
      return titles.map((title) => skipped(9, title, 'no /proc'));
    return [
      value(9, titles[0], { values: idle as number[], atMost: 70, unit: 'MB', load }),
      value(9, titles[1], { values: worked as number[], atMost: 160, unit: 'MB', load }),
    ];
  },
};

async function measureOnce(
  work: number,
  settleMs: number,
): Promise<[idle: number | undefined, worked: number | undefined]> {
  const { folder, remove } = makeFolder();
  const service = await startService(folder);
  await pause(settleMs);
  const idle = service.anonymousMb();
  const words = ['account', 'create', '--name', 'Shop', '--days', '30', '--purchased', String(work)];
  const { apiKey } = runCli(folder, ...words) as { apiKey: string };
  for (let left = work; left > 0; left -= CODES_A_REQUEST)
    await addCodes(service, apiKey, Math.min(left, CODES_A_REQUEST));
  const client = startClient();
  await client.run({ port: service.port, connections: AT_ONCE, apiKeys: [apiKey], requests: work });
  client.close();
  await pause(settleMs);
  const worked = service.anonymousMb();
  await service.stop();
  remove();
  return [idle, worked];
}

async function addCodes(service: Service, apiKey: string, count: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${service.port}/db?gameId=${GAME_ID}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ denomination: DENOMINATION, codes: makeCodes(count) }]),
  });
  if (!response.ok)
    throw new Error(`Adding codes was answered with ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

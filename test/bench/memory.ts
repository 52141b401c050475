// Row 9: the anonymous memory of the real process (RssAnon: what is not a file in memory), idle, after it has worked,
// and what programs that wait for a change add to that. The work arrives over HTTP; the platform is the sandbox without
// latency.
import { setTimeout as pause } from 'node:timers/promises';

import { createAccount } from '../harness/host.ts';
import { makeCodes } from './bench-core.ts';
import { count as told, roundsOf, scaled, skipped, value, type BenchGroup } from './figures.ts';
import { makeFolder } from './folders.ts';
import { startClient } from './http-load.ts';
import { takeTurns } from './rounds.ts';
import { readAnonymousMb, startService } from './service-process.ts';
import { AT_ONCE, DENOMINATION, GAME_ID } from './terms.ts';
import { measureReaders } from './waiting-readers.ts';

const CODES_A_REQUEST = 10_000;

export const memory: BenchGroup = {
  rows: [9],

  async measure(_row, options) {
    const work = scaled(options, { tiny: 200, quick: 20_000, normal: 100_000 });
    const settleMs = scaled(options, { tiny: 100, quick: 3_000, normal: 3_000 });
    const waiting = scaled(options, { tiny: 20, quick: 2_000, normal: 2_000 });
    const size = told(work);
    const titles = [
      'anonymous memory (RssAnon), idle',
      `anonymous memory after ${size} redemptions and an import of ${size}`,
      `${told(waiting)} readers that wait, in memory beside that; each is answered`,
    ] as const;
    options.tell(`9: ${size} redemptions and codes`);
    const { mb, load } = await takeTurns(roundsOf(options), {
      mb: () => measureOnce(work, waiting, settleMs),
    });
    const goals = [70, 160, 40];
    return titles.map((title, index) => {
      const values = mb.map((round) => round[index]).filter((each) => each !== undefined);
      if (values.length < mb.length) return skipped(9, title, 'no /proc');
      return value(9, title, { values, atMost: goals[index] ?? 0, unit: 'MB', load });
    });
  },
};

async function measureOnce(work: number, waiting: number, settleMs: number): Promise<(number | undefined)[]> {
  const { folder, remove } = makeFolder();
  const service = await startService(folder);
  await pause(settleMs);
  const idle = readAnonymousMb(service);
  const { apiKey } = await createAccount(folder, { purchased: work });
  for (let left = work; left > 0; left -= CODES_A_REQUEST)
    await addCodes(service.url, apiKey, Math.min(left, CODES_A_REQUEST));
  const client = startClient();
  await client.run({
    port: Number(new URL(service.url).port),
    connections: AT_ONCE,
    apiKeys: [apiKey],
    requests: work,
  });
  client.close();
  await pause(settleMs);
  const worked = readAnonymousMb(service);
  const readers = await measureReaders(service, { apiKey, count: waiting, settleMs });
  remove();
  return [idle, worked, readers];
}

async function addCodes(url: string, apiKey: string, count: number): Promise<void> {
  const response = await fetch(`${url}/db?gameId=${GAME_ID}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ denomination: DENOMINATION, codes: makeCodes(count) }]),
  });
  if (!response.ok)
    throw new Error(`Adding codes was answered with ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

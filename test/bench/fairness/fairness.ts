// Row 23: fairness. Somebody who has to do with nobody redeems at a steady pace while others ask for as much as they
// can; with a stock of millions. What they wait, and how long the event loop is held, idle and under each load. Of a
// machine that others use as well only the time of the processor says something. The half of the chat is in
// fairness/chat.ts.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

import { makeServiceFolder, spawnService, type Service } from '../../torture/process.ts';
import { ask } from '../../torture/client.ts';
import { LOADS, type Load } from './loads.ts';
import type { Redeemed, RedeemOrder } from './outside.ts';
import type { Turns } from './probe.ts';
import { ENCRYPTION_KEY, placeStock, type Keys } from './stock.ts';
import type { Findings, TortureOptions } from '../../torture/findings.ts';

const PROBE = fileURLToPath(new URL('./probe.ts', import.meta.url));
const OUTSIDE = fileURLToPath(new URL('./outside.ts', import.meta.url));
const REDEEMED_PER_SECOND = 20;
/** What `npm start` gives to node. */
const AS_STARTED = '--max-semi-space-size=8';
const WITHIN_MS = 300;
const TURN_MS = 25;
const WARM_UP_MS = 3_000;
const REST_MS = 2_000;

/** `count` seconds of each load. */
export async function askForMuch({ count, tell }: TortureOptions): Promise<Findings> {
  const { folder, remove } = makeServiceFolder();
  const outside = await openOutside();
  try {
    const keys = await placeStock(folder, tell);
    const service = await openService(folder, outside);
    try {
      const field = { service, keys, outside };
      await measure(field, 'warm up', { begin: () => idle }, WARM_UP_MS);
      const idleOnes = await measure(field, 'idle', { begin: () => idle }, count * 1000);
      const under: Measured[] = [];
      for (const [name, load] of Object.entries(LOADS)) {
        under.push(await measure(field, name, load, count * 1000));
        tell?.(under.at(-1)?.told ?? '');
        await new Promise((resolve) => setTimeout(resolve, REST_MS));
      }
      tell?.(idleOnes.told);
      const all = [idleOnes, ...under];
      const tried = Object.fromEntries(all.map(({ name, redemptions }) => [name, redemptions]));
      return { tried, violations: all.flatMap(({ violations }) => violations) };
    } finally {
      // A profile is written by a process that ends by itself.
      await service.kill('SIGTERM');
    }
  } finally {
    outside.child.disconnect();
    remove();
  }
}

export interface Outside {
  child: ChildProcess;
  port: number;
}

interface Field {
  service: Service;
  keys: Keys;
  outside: Outside;
}

const idle = { stop: () => Promise.resolve({}) };

export async function openOutside(): Promise<Outside> {
  const child = fork(OUTSIDE, { env: { ...process.env, FAIRNESS_OUTSIDE: '1' } });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

/** The settings with which a service takes it for its platform. */
export const platformAt = ({ port }: Outside): Record<string, string> => ({
  PLATFORM: 'upstream',
  UPSTREAM_URL: `http://127.0.0.1:${port}`,
  UPSTREAM_TOKEN: 'token',
  PLATFORM_TIMEOUT_MS: '45000',
});

/** `TORTURE_PROFILE` names a folder for a CPU profile of the service. */
function openService(folder: string, outside: Outside): Promise<Service> {
  const profile = process.env.TORTURE_PROFILE;
  const env = {
    ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
    ...platformAt(outside),
    FAIRNESS_PROBE: '1',
    NODE_OPTIONS: profile === undefined ? AS_STARTED : `${AS_STARTED} --cpu-prof --cpu-prof-dir=${profile}`,
  };
  return spawnService({ folder, preload: PROBE, env });
}

interface Measured {
  name: string;
  told: string;
  redemptions: number;
  violations: string[];
}

async function measure(
  { service, keys, outside }: Field,
  name: string,
  load: Load,
  ms: number,
): Promise<Measured> {
  await readTurns(service);
  await readLag(service, keys);
  const running = load.begin({ url: service.url, keys });
  const redeemed = await redeemSteadily(outside, { url: service.url, apiKey: keys.calm, ms });
  const turns = await readTurns(service);
  const lagMs = await readLag(service, keys);
  const answers = await running.stop();
  return judge({ name, redeemed, turns, lagMs, answers });
}

async function redeemSteadily({ child }: Outside, order: Omit<RedeemOrder, 'perSecond'>): Promise<Redeemed> {
  child.send({ ...order, perSecond: REDEEMED_PER_SECOND } satisfies RedeemOrder);
  const [redeemed] = (await once(child, 'message')) as [Redeemed];
  return redeemed;
}

async function readTurns(service: Service): Promise<Turns> {
  return (await service.command({})) as unknown as Turns;
}

/** What the service says itself, since it was asked last. */
async function readLag(service: Service, { calm }: Keys): Promise<number> {
  const { body } = await ask(service.url, { apiKey: calm }, 'GET', '/metrics');
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(String(body.text)) ?? [];
  return Number(seconds) * 1000;
}

function judge(of: {
  name: string;
  redeemed: Redeemed;
  turns: Turns;
  lagMs: number;
  answers: Record<string, number>;
}): Measured {
  const { name, redeemed, turns, lagMs, answers } = of;
  const { latenciesMs, failures } = redeemed;
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0;
  const round = (value: number) => Math.round(value * 10) / 10;
  const told = [
    `${name}: ${latenciesMs.length} redemptions, p50 ${round(at(0.5))} ms, p99 ${round(at(0.99))} ms, longest ${round(latenciesMs.at(-1) ?? 0)} ms (due after ${Math.round(redeemed.slowest.dueMs)} ms, asked of the platform ${Math.round(redeemed.slowest.askedMs)} ms later);`,
    `longest turn ${round(turns.longestMs)} ms, of the processor ${round(turns.longestCpuMs)} ms;`,
    `${turns.long} turns beyond ${TURN_MS} ms, ${turns.longCpu} of the processor; /metrics says ${round(lagMs)} ms;`,
    `load of the machine ${round(loadavg()[0] ?? 0)}; asked for ${JSON.stringify(answers)}`,
    turns.longestMs > TURN_MS
      ? `(the longest ended at ${turns.longestAtUs} us, of the processor at ${turns.longestCpuAtUs} us)`
      : '',
  ].join(' ');
  const violations: string[] = [];
  if (at(0.99) > WITHIN_MS) violations.push(`p99 of /redeem is beyond ${WITHIN_MS} ms. ${told}`);
  if (turns.longestMs > TURN_MS) violations.push(`a turn is beyond ${TURN_MS} ms. ${told}`);
  if (Object.keys(failures).length > 0)
    violations.push(`${name}: redemptions were answered ${JSON.stringify(failures)}`);
  return { name, told, redemptions: latenciesMs.length, violations };
}

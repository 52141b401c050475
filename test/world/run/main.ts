// `npm run simulate -- --seed N --days D [--people P]`: lives in the world of a seed. Prints what breaks a promise, and
// how to see it again; exit 1 then. With `--planted [part of a name]`: after how many days the world finds bugs that
// are planted. With `--gear core [--only LIFE] --steps N`: by the verbs of the core alone (core/), also those bugs.
import { parseArgs } from 'node:util';

import { bindConnections } from '../machine/disk.ts';
import { FAULTS } from '../faults/index.ts';
import { drawFaults, suspendedBy } from '../faults/worlds.ts';
import { listHeldBeside, PROMISES } from '../promises/index.ts';
import { formatFinding } from './finding.ts';
import { plantBugs } from './planted.ts';
import { bindRequests } from '../machine/receivers.ts';
import { shrink } from './shrinking.ts';
import { bindThreads } from '../machine/threads.ts';
import { CORE_FAULTS, formatCoreFinding, liveByTheCore } from '../core/world.ts';
import { LIVES, type LifeName } from '../core/lives.ts';
import { liveIn, type WorldOptions } from './world.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    days: { type: 'string', default: '30' },
    people: { type: 'string', default: '50' },
    with: { type: 'string', multiple: true, default: [] },
    without: { type: 'string', multiple: true, default: [] },
    verbose: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: true },
    planted: { type: 'string' },
    worlds: { type: 'string', default: '2' },
    gear: { type: 'string', default: 'whole' },
    steps: { type: 'string', default: '3000' },
    only: { type: 'string' },
  },
  allowNegative: true,
});

/** Of the processor, so that a machine in other hands does not count. */
const spentMs = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;

process.exitCode = await main();

function main(): Promise<number> {
  const [days, people] = [Number(values.days), Number(values.people)];
  const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
  if (values.planted !== undefined) return plant(values.planted, { seed, days, people });
  if (values.gear === 'core') return liveCore(seed);
  return simulate({ seed, days, people, with: new Set(values.with), without: new Set(values.without) });
}

async function liveCore(seed: number): Promise<number> {
  bindConnections();
  bindThreads();
  const only = values.only as LifeName | undefined;
  if (only !== undefined && !(only in LIVES)) throw new Error(`--only is ${Object.keys(LIVES).join(', ')}.`);
  const [wanted] = values.with;
  const fault = CORE_FAULTS.find((name) => name === wanted);
  if (fault !== wanted) throw new Error(`--with is ${CORE_FAULTS.join(', ')}.`);
  const { tried, findings } = await liveByTheCore({ seed, steps: Number(values.steps), only, fault });
  for (const finding of findings) console.log(formatCoreFinding(finding));
  console.log(`seed ${seed}: ${JSON.stringify(tried)} in ${Math.round(spentMs())} ms of the processor`);
  console.log(findings.length === 0 ? 'nothing found' : `${findings.length} found`);
  return findings.length === 0 ? 0 : 1;
}

async function simulate(options: WorldOptions): Promise<number> {
  const { seed, days, people } = options;
  bindConnections();
  bindThreads();
  bindRequests();
  const unknown = values.with.find((name) => !FAULTS.some((fault) => fault.name === name));
  if (unknown !== undefined) throw new Error(`There is no fault ${JSON.stringify(unknown)}.`);
  const { world: kind, faults } = drawFaults(options);
  const held = listHeldBeside(suspendedBy(faults)).length;
  console.log(
    `seed ${seed} is ${kind}, and holds ${held} of ${Object.keys(PROMISES).length} promises beside: ${faults.map(({ name }) => name).join(', ') || 'nothing'}`,
  );
  let [began, last] = [spentMs(), spentMs()];
  const tell = (day: number, digest: () => string) => {
    // Gathering is not part of a day.
    if (day === 0) return void (began = last = spentMs());
    if (values.verbose) console.log(`day ${day}: ${digest()} in ${Math.round(spentMs() - last)} ms`);
    last = spentMs();
  };
  const { finding, world } = await liveIn({ ...options, tell, isTold: values.verbose });
  const ms = Math.round(spentMs() - began);
  if (!finding) {
    const each = `${ms} ms of the processor, ${Math.round(ms / days)} a day`;
    const { telegram, diary } = world;
    const counted = { days, updates: telegram.api.updates().length, payments: diary.paid.length };
    console.log(`seed ${seed}: ${people} people in ${each}; nothing found in ${JSON.stringify(counted)}`);
    return 0;
  }
  console.log(formatFinding(finding, options));
  if (!values.shrink) return 1;
  console.log('shrinking:');
  const names = [...faults, ...world.people].map(({ name }) => name);
  const smallest = await shrink(finding, options, names, (line) => console.log(`  ${line}`));
  console.log(formatFinding(smallest.finding, { ...options, without: smallest.without }));
  return 1;
}

async function plant(named: string, { seed, days, people }: WorldOptions): Promise<number> {
  const seeds = Array.from({ length: Number(values.worlds) }, (_, index) => seed + index);
  const isWhole = values.gear === 'whole';
  const unit = isWhole ? 'day' : 'step';
  const results = await plantBugs({
    ...{ seeds, days, people },
    core: isWhole ? undefined : { steps: Number(values.steps), only: values.only },
    named,
    tell: ({ name, days: found, by }) =>
      console.log(`${found === undefined ? 'NOT FOUND' : `${unit} ${found}`}\t${name}\t${by}`),
  });
  const missed = results.filter((result) => result.days === undefined);
  const all = seeds.length * (isWhole ? days : Number(values.steps));
  console.log(`${results.length - missed.length} of ${results.length} found within ${all} ${unit}s`);
  return missed.length === 0 ? 0 : 1;
}

// `npm run simulate -- --seed N --days D [--people P]`: lives in the world of a seed. Prints what breaks a promise, and how to see it
// again; exit 1 then.
import { parseArgs } from 'node:util';

import { bindConnections } from './disk.ts';
import { bindThreads } from './threads.ts';
import { liveIn, type Finding } from './world.ts';

const realNow = performance.now.bind(performance);

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      days: { type: 'string', default: '30' },
      people: { type: 'string', default: '50' },
      without: { type: 'string', multiple: true, default: [] },
      /** A line a day. */
      verbose: { type: 'boolean', default: false },
    },
  });
  const [days, people] = [Number(values.days), Number(values.people)];
  const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
  bindConnections();
  bindThreads();
  const began = realNow();
  let last = began;
  const { finding } = await liveIn({
    seed,
    days,
    people,
    without: new Set(values.without),
    tell: (day, digest) => {
      if (values.verbose) console.log(`day ${day}: ${digest()} in ${Math.round(realNow() - last)} ms`);
      last = realNow();
    },
  });
  const ms = Math.round(realNow() - began);
  if (finding) printFinding(finding);
  else
    console.log(
      `seed ${seed}: ${days} days with ${people} people in ${ms} ms (${Math.round(ms / days)} ms a day), nothing found`,
    );
  return finding ? 1 : 0;
}

function printFinding({ seed, day, promise, what, steps }: Finding): void {
  console.log(`FOUND seed ${seed}, day ${day}: ${promise}\n  ${what}\nlast steps:`);
  for (const step of steps) console.log(`  ${step}`);
}

// Row 27, places: a service whose database is not where or what it was. Each is refused at the start with a sentence,
// or told by the running service, within five seconds; and nothing begins meanwhile. Two machines on one token are told
// within 75 s.
import { rmSync } from 'node:fs';

import { runCliHere } from '../../harness/run-here.ts';
import type { Findings, TortureOptions } from '../findings.ts';
import { COPY_SCENES } from './places/copies.ts';
import { FILE_SCENES } from './places/files.ts';
import { makeFolder, openPlace, type Scenes } from './places/place.ts';
import { RIGHTS_SCENES } from './places/rights.ts';
import { serveTwice } from './places/second-machine.ts';

export const SCENES: Scenes = { ...FILE_SCENES, ...COPY_SCENES, ...RIGHTS_SCENES };

const TWINS = 'two machines on one token';
/** They take minutes. */
const SECOND_MACHINE_EVERY = 5;

/**
 * `count` rounds of all scenes, each in a folder of its own; `hasSecondMachine`: every fifth with two machines on one
 * token.
 */
export async function misplaceDatabases({
  count,
  tell,
  hasSecondMachine,
}: Omit<TortureOptions, 'seed'> & { hasSecondMachine: boolean }): Promise<Findings> {
  const violations: string[] = [];
  const tried: Record<string, number> = {};
  const shop = makeFolder();
  const { lines } = await runCliHere(shop, 'account', 'create', '--name', 'Shop', '--days', '30');
  const key = String(lines[0]?.apiKey);
  const secondMachine: Scenes = {
    async [TWINS](place) {
      const tookMs = await serveTwice(place);
      tried['longest until told, ms'] = Math.max(tried['longest until told, ms'] ?? 0, ...tookMs);
    },
  };
  for (let round = 0; round < count; round += 1) {
    for (const [name, play] of Object.entries({
      ...SCENES,
      ...(hasSecondMachine && round % SECOND_MACHINE_EVERY === 0 && secondMachine),
    })) {
      const place = openPlace(shop, key);
      try {
        await play(place);
      } finally {
        rmSync(place.folder, { recursive: true, force: true });
      }
      violations.push(...place.found.map((what) => `${name}: ${what}`));
      tried[name] = (tried[name] ?? 0) + 1;
      tell?.(`round ${round}: ${name}, violations: ${violations.length}`);
    }
  }
  rmSync(shop, { recursive: true });
  return { tried, violations };
}

// Row 27, places: a service whose database is not where it was, or may not be used. Each is refused at the start with a
// sentence, or told by the running service, within five seconds; and nothing begins meanwhile. Two machines that serve copies of
// one database, with one token: no file knows of it, but Telegram tells both. Whoever hosts them is told within 75 s,
// no codes are handed out meanwhile, and by and by after one has ended the other goes on.
import { rmSync } from 'node:fs';

import { createAccount } from '../../harness/host.ts';
import { createTalker, openChat } from '../chat.ts';
import { ask } from '../client.ts';
import { count, nothingFound, type Findings, type TortureOptions } from '../findings.ts';
import { becomes, spawnService, type Service } from '../process.ts';
import { SCENES } from './misplaced.ts';
import {
  copyPlace,
  makeFolder,
  measures,
  orders,
  readState,
  serveOnce,
  type Place,
  type Scenes,
} from './place.ts';

const TWINS = 'two machines on one token';
/** They take minutes. */
const SECOND_MACHINE_EVERY = 5;
const TOLD_WITHIN_MS = 75_000;
/** After its last conflict, and until it has asked once more. */
const OVER_WITHIN_MS = 170_000;
const LOOK_EVERY_MS = 250;
const HOST_ID = 700_000_001;

/**
 * `count` rounds of all scenes, each in a folder of its own; `hasSecondMachine`: every fifth with two machines on one
 * token.
 */
export async function misplaceDatabases({
  count: rounds,
  tell,
  hasSecondMachine,
}: Omit<TortureOptions, 'seed'> & { hasSecondMachine: boolean }): Promise<Findings> {
  const all = nothingFound();
  const folder = makeFolder();
  const { apiKey } = await createAccount(folder);
  const twins: Scenes = { [TWINS]: (place) => serveTwice(place, all) };
  for (let round = 0; round < rounds; round += 1) {
    const hasTwins = hasSecondMachine && round % SECOND_MACHINE_EVERY === 0;
    for (const [name, play] of Object.entries({ ...SCENES, ...(hasTwins && twins) })) {
      const place = copyPlace({ folder, apiKey, found: [] });
      try {
        await play(place);
      } finally {
        rmSync(place.folder, { recursive: true, force: true });
      }
      all.violations.push(...place.found.map((what) => `${name}: ${what}`));
      count(all, name);
      tell?.(`round ${round}: ${name}, violations: ${all.violations.length}`);
    }
  }
  rmSync(folder, { recursive: true });
  return all;
}

async function serveTwice(place: Place, { tried }: Findings): Promise<void> {
  const { found } = place;
  const chat = await openChat();
  const host = createTalker(chat.api, 'Host', HOST_ID);
  const env = { ...chat.env, HOST_IDS: String(HOST_ID) };
  await serveOnce(place);
  // A copy that is adopted, although the other goes on.
  const other = copyPlace(place);
  await orders(other, 'adopt');
  const services: Service[] = [];
  try {
    services.push(await spawnService({ folder: place.folder, env }));
    host.says('/start');
    await host.sees(() => true);
    services.push(await spawnService({ folder: other.folder, env }));
    const began = performance.now();
    const told = services.map((each) => becomes(() => isContested(each), TOLD_WITHIN_MS, LOOK_EVERY_MS));
    for (const [index, isTold] of (await Promise.all(told)).entries())
      if (!isTold) found.push(`machine ${index} tells nobody of the other`);
    const tookMs = Math.round(performance.now() - began);
    tried['longest until told, ms'] = Math.max(tried['longest until told, ms'] ?? 0, tookMs);
    if (!(await host.sees(({ text }) => text.includes('Another process fetches'), LOOK_EVERY_MS * 20)))
      found.push('the host is not told in the chat');
    for (const service of services) await expectHeld(place, service);
    const [first, second] = services as [Service, Service];
    await second.kill();
    const isCalm = async () => !(await isContested(first));
    if (!(await becomes(isCalm, OVER_WITHIN_MS, LOOK_EVERY_MS * 4)))
      found.push('the other has ended, and it is told all the same');
  } finally {
    await Promise.all(services.map((service) => service.kill()));
    await chat.close();
    rmSync(other.folder, { recursive: true, force: true });
  }
}

async function isContested(service: Service): Promise<boolean> {
  const { telegram, contested } = await readState(service);
  return telegram === 'contested' && contested === true;
}

async function expectHeld({ apiKey, found }: Place, service: Service): Promise<void> {
  const body = { denomination: 60, amount: 1 };
  const { status } = await ask(service.url, { apiKey }, 'POST', '/db/extract?gameId=game_id_1', { body });
  if (status < 400) found.push(`codes are handed out: ${status}`);
  if (!(await measures(service, 'telegram_contested 1'))) found.push('the metric does not say so');
  if (!service.errors().some((line) => line.includes('another process fetches')))
    found.push('the log does not say so');
}

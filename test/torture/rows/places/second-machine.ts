// Two machines that serve copies of one database, with one token: no file knows of it, but Telegram tells both. Whoever
// hosts them is told within 75 s, and no codes are handed out meanwhile; by and by after one has ended the other goes
// on.
import { rmSync } from 'node:fs';

import { runCliHere } from '../../../harness/run-here.ts';
import { spawnService, type Service } from '../../process.ts';
import { createTalker, openChat } from '../../chat.ts';
import { pause } from '../../../../src/waiting.ts';
import { addCode, copyPlace, type Place } from './place.ts';

const TOLD_WITHIN_MS = 75_000;
/** After its last conflict, and until it has asked once more. */
const OVER_WITHIN_MS = 170_000;
const LOOK_EVERY_MS = 250;
const HOST_ID = 700_000_001;

/** How long each took to tell of it, in ms. */
export async function serveTwice(place: Place): Promise<number[]> {
  const chat = await openChat();
  const host = createTalker(chat.api, 'Host', HOST_ID);
  const env = { ...chat.env, HOST_IDS: String(HOST_ID) };
  const other = await cloneOf(place);
  const services: Service[] = [];
  try {
    services.push(await spawnService({ folder: place.folder, env }));
    host.says('/start');
    await host.sees(() => true);
    services.push(await spawnService({ folder: other.folder, env }));
    const began = performance.now();
    const tookMs = await Promise.all(services.map((service) => whenTold(service, began)));
    for (const [index, ms] of tookMs.entries())
      if (ms > TOLD_WITHIN_MS) place.found.push(`machine ${index} tells nobody of the other`);
    const told = await host.sees(({ text }) => text.includes('Another process fetches'), LOOK_EVERY_MS * 20);
    if (!told) place.found.push('the host is not told in the chat');
    await expectHeld(place, services);
    await services.pop()?.kill();
    if (!(await becomesCalm(services))) place.found.push('the other has ended, and it is told all the same');
    return tookMs;
  } finally {
    await Promise.all(services.map((service) => service.kill()));
    await chat.close();
    rmSync(other.folder, { recursive: true, force: true });
  }
}

/** A copy that is adopted, although the other goes on. */
async function cloneOf(place: Place): Promise<Place> {
  await place.serving((service) => addCode(place, service));
  const other = copyPlace(place);
  const { exitCode, stderr } = await runCliHere(other.folder, 'adopt');
  if (exitCode !== 0) place.found.push(`adopt ended with ${exitCode}: ${stderr}`);
  return other;
}

async function whenTold(service: Service, began: number): Promise<number> {
  for (;;) {
    const took = performance.now() - began;
    if (took > TOLD_WITHIN_MS || (await isContested(service))) return Math.round(took);
    await pause(LOOK_EVERY_MS);
  }
}

async function isContested({ url }: Service): Promise<boolean> {
  const { telegram, contested } = (await (await fetch(`${url}/readyz`)).json()) as Record<string, unknown>;
  return telegram === 'contested' && contested === true;
}

async function expectHeld({ key, found }: Place, services: readonly Service[]): Promise<void> {
  for (const { url, errors } of services) {
    const body = JSON.stringify({ denomination: 60, amount: 1 });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const { status } = await fetch(`${url}/db/extract?gameId=game_id_1`, { method: 'POST', headers, body });
    if (status < 400) found.push(`codes are handed out: ${status}`);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    if (!/^telegram_contested 1$/m.test(metrics)) found.push('the metric does not say so');
    if (!errors().some((line) => line.includes('another process fetches')))
      found.push('the log does not say so');
  }
}

async function becomesCalm([service]: readonly Service[]): Promise<boolean> {
  const until = performance.now() + OVER_WITHIN_MS;
  while (service && performance.now() < until) {
    if (!(await isContested(service))) return true;
    await pause(LOOK_EVERY_MS * 4);
  }
  return false;
}

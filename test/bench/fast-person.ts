// Row 14: a fast person in a private chat: the slowest answer of thirty acts in a minute, commands and taps by turns,
// under the FAQ's limits, with Telegram 150 ms away; and how many round trips an answer to a tap takes, one after
// another. In real time.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { systemClock } from '../../src/clock.ts';
import type { BotApi } from '../telegram/telegram.ts';
import { startTestBot } from '../harness/bot-app.ts';
import { personOf, type Person } from '../harness/bot.ts';
import { roundsOf, scaled, value, type BenchGroup } from './figures.ts';
import { median, takeTurns } from './rounds.ts';

const ROUND_TRIP_MS = 150;
const A_MINUTE_MS = 60_000;

export const fastPerson: BenchGroup = {
  rows: [14],
  async measure(_row, options) {
    const acts = scaled(options, { tiny: 4, quick: 30, normal: 30 });
    const minuteMs = scaled(options, { tiny: 1_000, quick: A_MINUTE_MS, normal: A_MINUTE_MS });
    options.tell(`14: ${roundsOf(options)} minutes of ${acts} acts`);
    const far = await openFarTelegram();
    const t = await startTestBot({
      bot: { apiRoot: far.url },
      prepare: far.reach,
      api: { flood: 'faq', floodClock: systemClock },
      floodClock: systemClock,
    });
    const person = personOf(t.api, t.people.admin);
    const { minutes, load } = await takeTurns(roundsOf(options), {
      minutes: () => spendMinute(person, acts, minuteMs),
    });
    await t.stop();
    far.close();
    const taps = minutes.map((answers) => median(answers.filter((_, act) => act % 2 === 1)) / ROUND_TRIP_MS);
    return [
      value(14, `slowest of ${acts} answers in a minute, Telegram ${ROUND_TRIP_MS} ms away`, {
        values: minutes.map((answers) => Math.max(...answers)),
        unit: 'ms',
        atMost: 1_000,
        longest: true,
        load,
      }),
      value(14, 'round trips from a tap to its answer, one after another', {
        values: taps.map(Math.round),
        unit: '',
        atMost: 1,
        load,
      }),
    ];
  },
};

/** How long each act waited for its answer, in milliseconds. */
async function spendMinute(person: Person, acts: number, minuteMs: number): Promise<number[]> {
  const waits: number[] = [];
  for (let act = 0; act < acts; act += 1) {
    const began = performance.now();
    person.looksAway();
    if (act % 2 === 0) person.says('/settings');
    else void person.presses(LABELS);
    await person.sees(/./, A_MINUTE_MS);
    waits.push(performance.now() - began);
    await sleep(Math.max(0, minuteMs / acts - (performance.now() - began)));
  }
  return waits;
}

const LABELS = /Notices|Language|Time zone/;

/** The stand-in behind a network: half of a round trip to it, and half of one back. */
async function openFarTelegram() {
  let api: BotApi | undefined;
  const server = createServer((request, response) => void carry(request, response));
  async function carry(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request);
    await sleep(ROUND_TRIP_MS / 2);
    const hungUp = new AbortController();
    response.on('close', () => hungUp.abort());
    const answered = await api?.answer({
      url: new URL(request.url ?? '/', 'http://telegram.invalid'),
      contentType: request.headers['content-type'] ?? '',
      readBody: () => Promise.resolve(bytes),
      signal: hungUp.signal,
    });
    await sleep(ROUND_TRIP_MS / 2);
    if (typeof answered !== 'object') return void response.destroy();
    response.writeHead(answered.status, { 'content-type': answered.type, ...answered.headers });
    response.end(answered.body);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reach: (reached: BotApi) => void (api = reached),
    close: () => server.close(),
  };
}

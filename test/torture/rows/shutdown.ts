// Row 18: SIGTERM under load. What runs is answered as it ends, what does not end is answered as unknown and left in
// doubt, nobody new is let in, and the process is gone within ten seconds with nothing lost.
import { connect } from 'node:net';

import { pause } from '../../../src/waiting.ts';
import { countOpen } from '../books.ts';
import { makeCode, type Sent } from '../client.ts';
import { count, type Findings, type TortureOptions } from '../findings.ts';
import { becomes } from '../process.ts';
import { inShop, type Shop } from '../shop.ts';

const GONE_WITHIN_MS = 10_000;
/** From the wire document, and a little. */
const DRAIN_MS = 2_200;
const LANES = 16;
const PATIENT = { PLATFORM_TIMEOUT_MS: '45000' };

/** `count` shutdowns under load, each followed by a start that settles what was left. */
export const shutDownUnderLoad = ({ count: rounds, seed, tell }: TortureOptions): Promise<Findings> =>
  inShop(seed, PATIENT, async (shop) => {
    for (let round = 0; round < rounds; round += 1) {
      const found = await shutDown(shop, round);
      shop.violations.push(...found.map((violation) => `round ${round}: ${violation}`));
      count(shop, 'shutdowns');
      tell?.(`${JSON.stringify(shop.tried)}, violations: ${shop.violations.length}`);
    }
    count(shop, 'redemptions', shop.sent.length);
  });

async function shutDown(shop: Shop, round: number): Promise<string[]> {
  const found: string[] = [];
  const service = shop.service();
  await shop.stock(60, Array<string>(400).fill('60S'));
  const direct = (prefix: string, key?: string) =>
    shop.wish({ codeOverride: makeCode(shop.seeded, prefix), ...(key !== undefined && { key }) });
  const hanging = [direct('TIMEOUT'), direct('LOST'), direct('TIMEOUT', `hanging-${round}`)];
  await waitForPending(shop, hanging.length);
  const slow = [direct('SLOW'), direct('SLOW', `slow-${round}`)];
  await waitForPending(shop, hanging.length + slow.length);
  const load = keepBusy(shop);
  await load.underWay;

  const asked = performance.now();
  service.signal('SIGTERM');
  const exit = await service.exited;
  const tookMs = Math.round(performance.now() - asked);
  const refused = load.stop();
  shop.tried.slowestMs = Math.max(shop.tried.slowestMs ?? 0, tookMs);

  if (tookMs > GONE_WITHIN_MS) found.push(`gone only after ${tookMs} ms`);
  if (exit.code !== 0) found.push(`ended with ${exit.code ?? exit.signal}: ${service.stderr()}`);
  for (const sent of await Promise.all(slow)) found.push(...expectAnswer(sent, 200));
  for (const sent of await Promise.all(hanging)) found.push(...expectAnswer(sent, 503, 'UNKNOWN'));
  found.push(...(await refused));
  const { pending, inDoubt } = countOpen(shop.folder);
  if (pending > 0) found.push(`${pending} were left pending`);
  if (inDoubt < hanging.length) found.push(`only ${inDoubt} were left in doubt`);

  await shop.start();
  return [...found, ...(await shop.audit())];
}

function expectAnswer({ playerId, answers: [answer] }: Sent, status: number, errorCode?: string): string[] {
  return answer?.status === status && answer.body.errorCode === errorCode
    ? []
    : [`${playerId}: answered ${answer ? `${answer.status} ${JSON.stringify(answer.body)}` : 'not at all'}`];
}

const waitForPending = ({ folder }: Shop, wanted: number) =>
  becomes(() => countOpen(folder).pending >= wanted, undefined, 20);

/** Redemptions in lanes until the service lets nobody in; `stop` tells whether it refused connections to its end. */
function keepBusy(shop: Shop) {
  const service = shop.service();
  let gone = false;
  void service.exited.then(() => (gone = true));
  const enough = shop.sent.length + 10 * LANES;
  const underWay = becomes(() => shop.sent.length > enough);
  const lanes = Array.from({ length: LANES }, async () => {
    for (;;) {
      const { answers } = await shop.wish({ denomination: 60 });
      // Told that it is stopping, or not let in any more.
      if (answers[0]?.body.type === undefined) return;
    }
  });
  let [admitted, refused] = [0, 0];
  const knocking = (async () => {
    await Promise.all(lanes);
    // The door stays open for a balancer to see that it closes.
    await pause(DRAIN_MS);
    for (; !gone; await pause(100)) {
      const isOpen = await canConnect(service.url);
      if (!isOpen) refused += 1;
      else if (!gone) admitted += 1;
    }
  })();
  return {
    underWay,
    async stop(): Promise<string[]> {
      await knocking;
      if (admitted > 0) return [`${admitted} new connections were let in while stopping`];
      return refused > 0 ? [] : ['nobody was refused while stopping'];
    },
  };
}

async function canConnect(url: string): Promise<boolean> {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, timeout: 1000 });
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    for (const end of ['error', 'close', 'timeout']) socket.once(end, () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}

/** A second signal ends at once what the first has left running; that too loses nothing. */
export const stopTwice = ({ seed }: { seed: number }): Promise<Findings> =>
  inShop(seed, PATIENT, async (shop) => {
    const { violations } = shop;
    const hanging = shop.wish({ codeOverride: makeCode(shop.seeded, 'TIMEOUT'), key: 'twice' });
    await waitForPending(shop, 1);
    const service = shop.service();
    service.signal('SIGTERM');
    await becomes(async () => !(await canConnect(service.url)), undefined, 20);
    const exit = await service.kill('SIGTERM');
    if (exit.code !== 1) violations.push(`ended with ${exit.code ?? exit.signal}`);
    const { answers } = await hanging;
    if (answers.length > 0)
      violations.push(`it waited for the running redemption: ${JSON.stringify(answers[0]?.body)}`);
    await shop.start();
    await shop.repeatUnanswered();
    violations.push(...(await shop.audit()));
    count(shop, 'secondSignals');
  });

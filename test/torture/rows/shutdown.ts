// Row 18: SIGTERM under load. What runs is answered as it ends, what does not end is answered as unknown and left in
// doubt, nobody new is let in, and the process is gone within ten seconds with nothing lost.
import { connect } from 'node:net';

import { countOpen } from '../books.ts';
import { makeCode, type Sent } from '../client.ts';
import type { Findings, TortureOptions } from '../findings.ts';
import { openShop, type Shop } from '../shop.ts';

const GONE_WITHIN_MS = 10_000;
/** From the wire document, and a little. */
const DRAIN_MS = 2_200;
const LANES = 16;

/** `count` shutdowns under load, each followed by a start that settles what was left. */
export async function shutDownUnderLoad({ count, seed, tell }: TortureOptions): Promise<Findings> {
  const violations: string[] = [];
  const tried = { shutdowns: 0, redemptions: 0, slowestMs: 0 };
  const shop = await openShop(seed, { PLATFORM_TIMEOUT_MS: '45000' });
  try {
    for (let round = 0; round < count; round += 1) {
      const { found, tookMs } = await shutDown(shop, round);
      violations.push(...found.map((violation) => `round ${round}: ${violation}`));
      tried.shutdowns += 1;
      tried.slowestMs = Math.max(tried.slowestMs, Math.round(tookMs));
      tell?.(`${JSON.stringify(tried)}, violations: ${violations.length}`);
    }
    tried.redemptions = shop.sent.length;
  } finally {
    await shop.close();
  }
  return { tried, violations };
}

async function shutDown(shop: Shop, round: number): Promise<{ found: string[]; tookMs: number }> {
  const found: string[] = [];
  const service = shop.service();
  await shop.stock(
    60,
    Array.from({ length: 400 }, () => '60S'),
  );
  const direct = (prefix: string, key?: string) =>
    shop.wish({ codeOverride: makeCode(shop.seeded, prefix), ...(key !== undefined && { key }) });
  const hanging = [direct('TIMEOUT'), direct('LOST'), direct('TIMEOUT', `hanging-${round}`)];
  await waitForPending(shop, hanging.length);
  const slow = [direct('SLOW'), direct('SLOW', `slow-${round}`)];
  await waitForPending(shop, hanging.length + slow.length);
  const load = keepBusy(shop, () => service.exited);
  await load.underWay;

  const asked = performance.now();
  service.signal('SIGTERM');
  const exit = await service.exited;
  const tookMs = performance.now() - asked;
  const refused = load.stop();

  if (tookMs > GONE_WITHIN_MS) found.push(`gone only after ${Math.round(tookMs)} ms`);
  if (exit.code !== 0) found.push(`ended with ${exit.code ?? exit.signal}: ${service.stderr()}`);
  for (const sent of await Promise.all(slow)) found.push(...expectAnswer(sent, 200));
  for (const sent of await Promise.all(hanging)) found.push(...expectAnswer(sent, 503, 'UNKNOWN'));
  found.push(...(await refused));
  const { pending, inDoubt } = countOpen(shop.folder);
  if (pending > 0) found.push(`${pending} were left pending`);
  if (inDoubt < hanging.length) found.push(`only ${inDoubt} were left in doubt`);

  await shop.start();
  found.push(...(await shop.audit()));
  return { found, tookMs };
}

function expectAnswer({ playerId, answers: [answer] }: Sent, status: number, errorCode?: string): string[] {
  return answer?.status === status && answer.body.errorCode === errorCode
    ? []
    : [`${playerId}: answered ${answer ? `${answer.status} ${JSON.stringify(answer.body)}` : 'not at all'}`];
}

async function waitForPending(shop: Shop, count: number): Promise<void> {
  while (countOpen(shop.folder).pending < count) await new Promise((resolve) => setTimeout(resolve, 20));
}

/**
 * Redemptions in lanes until the service lets nobody in; `stop` tells whether it refused new connections to its end.
 */
function keepBusy(shop: Shop, exited: () => Promise<unknown>) {
  const service = shop.service();
  let gone = false;
  void exited().then(() => (gone = true));
  const enough = shop.sent.length + 10 * LANES;
  let tellUnderWay: () => void = () => undefined;
  const underWay = new Promise<void>((resolve) => (tellUnderWay = resolve));
  let admittedAfterRefusal = 0;
  let refusals = 0;
  const lanes = Array.from({ length: LANES }, async () => {
    for (;;) {
      const { answers } = await shop.wish({ denomination: 60 });
      const [answer] = answers;
      if (shop.sent.length > enough) tellUnderWay();
      // Told that it is stopping, or not let in any more.
      if (answer === undefined || answer.body.type === undefined) return;
    }
  });
  const knocking = (async () => {
    await Promise.all(lanes);
    // The door stays open for a balancer to see that it closes.
    await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
    while (!gone) {
      if (await canConnect(service.url)) {
        if (!gone) admittedAfterRefusal += 1;
      } else refusals += 1;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return {
    underWay,
    async stop(): Promise<string[]> {
      await knocking;
      if (admittedAfterRefusal > 0)
        return [`${admittedAfterRefusal} new connections were let in while stopping`];
      return refusals > 0 ? [] : ['nobody was refused while stopping'];
    },
  };
}

function canConnect(url: string): Promise<boolean> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.setTimeout(1000, () => socket.destroy());
  }).then((open) => open === true);
}

/** A second signal ends at once what the first has left running; that too loses nothing. */
export async function stopTwice({ seed }: { seed: number }): Promise<Findings> {
  const shop = await openShop(seed, { PLATFORM_TIMEOUT_MS: '45000' });
  const violations: string[] = [];
  try {
    const hanging = shop.wish({ codeOverride: makeCode(shop.seeded, 'TIMEOUT'), key: 'twice' });
    await waitForPending(shop, 1);
    const service = shop.service();
    service.signal('SIGTERM');
    while (await canConnect(service.url)) await new Promise((resolve) => setTimeout(resolve, 20));
    service.signal('SIGTERM');
    const exit = await service.exited;
    if (exit.code !== 1) violations.push(`ended with ${exit.code ?? exit.signal}`);
    const { answers } = await hanging;
    if (answers.length > 0)
      violations.push(`it waited for the running redemption: ${JSON.stringify(answers[0]?.body)}`);
    await shop.start();
    await shop.repeatUnanswered();
    violations.push(...(await shop.audit()));
  } finally {
    await shop.close();
  }
  return { tried: { secondSignals: 1 }, violations };
}

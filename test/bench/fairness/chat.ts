// Row 23, the half of the chat: what somebody who has to do with nobody waits for /help and for the question before a
// payment, while others keep the bot busy: a hundred look-ups of 15 s, a paste of many megabytes, people who write
// without end.
import { setTimeout as pause } from 'node:timers/promises';

import { createAccount } from '../../harness/host.ts';
import { createTalker, makeMembers, openChat, type Chat, type Talker } from '../../torture/chat.ts';
import { count, merge, nothingFound, type Findings, type TortureOptions } from '../../torture/findings.ts';
import { makeServiceFolder, spawnService, type Service } from '../../torture/process.ts';
import { crashInLoop, greet, HELP } from '../../torture/rows/crash-loop.ts';
import { openOutside, platformAt, type Outside } from './fairness.ts';
import { SLOW_PLAYER } from './outside.ts';

const HELP_WITHIN_MS = 300;
const CHECKOUT_WITHIN_MS = 2_000;
const HELP_EVERY_MS = 100;
/** Every so many questions the invoice is paid, too. */
const CHECKOUT_EACH = 5;
const LOOK_UPS = 100;
const SETTLE_MS = 500;
const LOAD_WITHIN_MS = 10_000;
const PASTED_BYTES = 18 * 1024 * 1024;
const MEMBER_WRITES = 2_200;
const STRANGER_WRITES = 1_500;
const UNINVOLVED = 20;
const ASKERS = 40;

interface Field {
  chat: Chat;
  /** Whoever pays. */
  calm: Talker;
  /** So many who ask that nobody asks more than a chat may be told: each has an account of their own. */
  askers: Talker[];
  /** Members of one account. */
  busy: Talker[];
}

type Load = (field: Field) => Promise<void>;

/** `count` seconds of each load, and a crash loop. */
export async function crowdChat({ count: seconds, tell }: TortureOptions): Promise<Findings> {
  const outside = await openOutside();
  const found = nothingFound();
  try {
    for (const [name, begin] of Object.entries(LOADS)) {
      const measured = await inField(outside, (field) => measure(field, name, begin, seconds));
      tell?.(measured.told);
      count(found, name, measured.asked);
      found.violations.push(...measured.violations);
    }
  } finally {
    outside.child.disconnect();
  }
  return merge(found, await crashInLoop(UNINVOLVED, tell));
}

/** A service of its own, so that nothing of one load is left in the next; nothing is loaded before it that slows it. */
async function inField<T>(outside: Outside, work: (field: Field) => Promise<T>): Promise<T> {
  const chat = await openChat();
  const { folder, remove } = makeServiceFolder();
  const env = { ...chat.env, ...platformAt(outside), OPEN_SIGNUP: 'true' };
  let service: Service | undefined;
  try {
    service = await spawnService({ folder, env });
    const busy = Array.from({ length: LOOK_UPS }, (_, index) => createTalker(chat.api, `Busy ${index}`));
    await makeMembers(folder, (await createAccount(folder)).accountId, 'admin', busy);
    const [calm, ...askers] = Array.from({ length: ASKERS + 1 }, (_, index) =>
      createTalker(chat.api, `Calm ${index}`),
    ) as [Talker, ...Talker[]];
    // Who buys has a subscription.
    await makeMembers(folder, (await createAccount(folder, { name: 'Calm' })).accountId, 'owner', [calm]);
    await Promise.all([calm, ...askers].map(greet));
    return await work({ chat, calm, askers, busy });
  } finally {
    await service?.kill();
    await chat.close();
    remove();
  }
}

async function measure(field: Field, name: string, begin: Load, seconds: number) {
  const { calm, askers, chat } = field;
  calm.says('/buy_activations 1');
  const invoice = await calm.sees((message) => message.invoice !== undefined);
  if (!invoice) throw new Error('The invoice never came.');
  const running = begin(field);
  await pause(SETTLE_MS);
  const helps: number[] = [];
  const checkouts: number[] = [];
  const violations: string[] = [];
  const until = performance.now() + seconds * 1000;
  for (let asked = 0; performance.now() < until; asked += 1) {
    if (asked % CHECKOUT_EACH === 0) {
      const startedAt = performance.now();
      const paid = await chat.api.pay(calm.user, invoice);
      checkouts.push(performance.now() - startedAt);
      if (!paid.ok) violations.push(`${name}: a checkout was answered ${JSON.stringify(paid)}`);
    }
    const waited = await askForHelp(askers[asked % askers.length] ?? calm);
    if (waited === undefined) violations.push(`${name}: /help was never answered`);
    else helps.push(waited);
    await pause(HELP_EVERY_MS);
  }
  await running;
  const told = `${name}: /help ${describe(helps)}; checkout ${describe(checkouts)}`;
  if (at(helps, 0.99) > HELP_WITHIN_MS)
    violations.push(`p99 of /help is beyond ${HELP_WITHIN_MS} ms. ${told}`);
  if (at(checkouts, 1) > CHECKOUT_WITHIN_MS)
    violations.push(`a checkout took more than ${CHECKOUT_WITHIN_MS} ms. ${told}`);
  return { told, asked: helps.length, violations };
}

/** How long the answer took; undefined when it never came. */
async function askForHelp(talker: Talker): Promise<number | undefined> {
  const known = talker.newest();
  const startedAt = performance.now();
  talker.says('/help');
  const answer = await talker.sees(({ id, text }) => id > known && text.startsWith(HELP));
  return answer && performance.now() - startedAt;
}

const idle: Load = () => Promise.resolve();

/** All of them are under way when they are read. */
const lookUps: Load = ({ busy }) => {
  for (const [index, talker] of busy.entries())
    talker.says(
      `/redeem ${SLOW_PLAYER}${String(index).padStart(8, '0')} 60S${String(index).padStart(13, '0')}`,
    );
  return Promise.resolve();
};

const paste: Load = async ({ chat, busy: [admin] }) => {
  if (!admin) return;
  admin.says('/add_codes');
  const which = await admin.sees(({ text }) => text.includes('Which denomination'), LOAD_WITHIN_MS);
  if (which) void admin.presses(which, '60 UC');
  const isAsked = await admin.sees(({ text }) => text.includes('Paste the codes now'), LOAD_WITHIN_MS);
  if (!isAsked) throw new Error(`Nobody asked for the codes: ${admin.read().at(-1)?.text}`);
  const bytes = Buffer.alloc(PASTED_BYTES);
  const line = 17;
  for (let at = 0; at + line <= bytes.length; at += line)
    bytes.write(`60S${String(at / line).padStart(13, '0')}\n`, at, 'latin1');
  chat.api.send(admin.user, admin.user, { document: { name: 'codes.txt', bytes } });
};

/** A member, each of whose messages is a look-up that hangs, and somebody without an account. */
const flood: Load = ({ chat, busy: [member] }) => {
  const stranger = createTalker(chat.api, 'Stranger');
  for (let index = 0; index < MEMBER_WRITES; index += 1)
    member?.says(`${SLOW_PLAYER}${String(index).padStart(8, '0')}`);
  for (let index = 0; index < STRANGER_WRITES; index += 1) stranger.says(`hello ${index}`);
  return Promise.resolve();
};

/** By name, in the order in which they are measured. */
const LOADS: Record<string, Load> = {
  'a quiet chat': idle,
  '100 look-ups of 15 s in the chat': lookUps,
  [`${MEMBER_WRITES} messages of a member and ${STRANGER_WRITES} of a stranger while the platform hangs`]:
    flood,
  [`a paste of ${PASTED_BYTES / 1024 / 1024} MB`]: paste,
};

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const at = (values: readonly number[], share: number) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** How many, and what they waited. */
function describe(values: readonly number[]): string {
  const [half, most, longest] = [0.5, 0.99, 1].map((share) => Math.round(at(values, share)));
  return `${values.length} times, p50 ${half} ms, p99 ${most} ms, longest ${longest} ms`;
}

// Something that brings the service down whenever it is handled, while people who have to do with nothing ask at the
// same time: each of them is answered, and nothing but what does it is put aside. What they wait beyond the time when
// there was no service.
import { createTalker, inChat, type Chat, type Talker } from '../chat.ts';
import type { Findings } from '../findings.ts';
import { becomes } from '../process.ts';
import type { Shop } from '../shop.ts';

/** What the answer to /help begins with. */
export const HELP = 'No command is needed';
const WITHIN_MS = 2_000;
/** More would be a loop that never ends. */
const MOST_DEATHS = 8;
const LOOK_MS = 2;
const FATAL = { name: 'codes.txt', bytes: Buffer.from('60SAAAAAAAAAAAAAA') };

/** So many people ask at once, and once more after each start, until what does it is put aside. */
export const crashInLoop = (people: number, tell?: (line: string) => void): Promise<Findings> =>
  inChat(people, { env: { OPEN_SIGNUP: 'true' } }, async (shop, chat) => {
    const talkers = Array.from({ length: people }, (_, index) => createTalker(chat.api, `Person ${index}`));
    const culprit = createTalker(chat.api, 'Culprit');
    await Promise.all([...talkers, culprit].map(greet));
    /** When there was no service: from, to. */
    const down: [from: number, to: number][] = [];
    const putAside = culprit.sees(({ text }) => text.startsWith('I failed three times'));
    let isOver = false;
    void putAside.then(() => (isOver = true));
    let fatal = waitForFatal(chat, () => isOver);
    chat.api.send(culprit.user, culprit.user, { document: FATAL });
    const waits = talkers.map((talker) => waitForHelp(talker, down));
    while ((await fatal) && down.length < MOST_DEATHS) {
      const stretch: [number, number] = [performance.now(), Infinity];
      down.push(stretch);
      await shop.service().kill();
      fatal = waitForFatal(chat, () => isOver);
      await shop.start();
      stretch[1] = performance.now();
    }
    const isPutAside = (await putAside) !== undefined;
    const told = judge(shop, { waits: await Promise.all(waits), isPutAside, down, talkers });
    tell?.(told);
  });

export async function greet(talker: Talker): Promise<void> {
  talker.says('/start');
  await talker.sees(({ text }) => text.includes('you are the owner'));
}

/** Resolves while the file is fetched: true; false when it is over. */
async function waitForFatal({ api }: Chat, isOver: () => boolean): Promise<boolean> {
  const order = api.faults.at(1, 'getFile', { kind: 'hang' });
  await becomes(() => order.met() > 0 || isOver(), undefined, LOOK_MS);
  return order.met() > 0;
}

/** How long the answer took, without the time when nobody was there to give it; undefined when it never came. */
async function waitForHelp(talker: Talker, down: readonly [number, number][]): Promise<number | undefined> {
  const startedAt = performance.now();
  const known = talker.newest();
  talker.says('/help');
  const answer = await talker.sees(({ id, text }) => id > known && text.startsWith(HELP));
  const endedAt = performance.now();
  const away = down.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, endedAt) - from), 0);
  return answer && endedAt - startedAt - away;
}

interface Past {
  waits: readonly (number | undefined)[];
  isPutAside: boolean;
  down: readonly [number, number][];
  talkers: readonly Talker[];
}

/** What is told of it. */
function judge({ tried, violations }: Shop, { waits, isPutAside, down, talkers }: Past): string {
  const answered = waits.filter((wait) => wait !== undefined).toSorted((a, b) => a - b);
  const away = Math.round(down.reduce((sum, [from, to]) => sum + to - from, 0));
  const longest = Math.round(answered.at(-1) ?? 0);
  Object.assign(tried, { answered: answered.length, deaths: down.length });
  const wronged = talkers.filter((talker) =>
    talker.read().some(({ text }) => text.includes('I put it aside')),
  );
  const told = `a crash loop: ${down.length} deaths, ${away} ms without a service; ${answered.length} people answered, the last of them ${longest} ms beside that`;
  const facts: [boolean, string][] = [
    [answered.length === talkers.length, 'somebody was never answered'],
    [isPutAside, 'what does it was never put aside'],
    [wronged.length === 0, `${wronged.length} others were put aside`],
    [longest <= WITHIN_MS, `somebody waited more than ${WITHIN_MS} ms`],
  ];
  violations.push(...facts.flatMap(([holds, what]) => (holds ? [] : [`${what}. ${told}`])));
  return told;
}

// Something that brings the service down whenever it is handled, while people who have to do with nothing ask at the
// same time: each of them is answered, and nothing but what does it is put aside. What they wait beyond the time when
// there was no service.
import { makeServiceFolder, spawnService, type Service } from '../process.ts';
import { createTalker, openChat, type Chat, type Talker } from '../chat.ts';

/** What the answer to /help begins with. */
export const HELP = 'No command is needed';
const WITHIN_MS = 2_000;
/** More would be a loop that never ends. */
const MOST_DEATHS = 8;
const LOOK_MS = 2;

export interface Crashed {
  told: string;
  answered: number;
  deaths: number;
  violations: string[];
}

/** So many people ask at once, and once more after each start, until what does it is put aside. */
export async function crashInLoop(people: number): Promise<Crashed> {
  const chat = await openChat();
  const { folder, remove } = makeServiceFolder();
  const env = { ...chat.env, OPEN_SIGNUP: 'true' };
  let service = await spawnService({ folder, env });
  try {
    const talkers = Array.from({ length: people }, (_, index) => createTalker(chat.api, `Person ${index}`));
    const culprit = createTalker(chat.api, 'Culprit');
    await Promise.all([...talkers, culprit].map(greet));
    const down: [from: number, to: number][] = [];
    const waits: Promise<number | undefined>[] = [];
    const putAside = culprit.sees(({ text }) => text.startsWith('I failed three times'));
    let isOver = false;
    void putAside.then(() => (isOver = true));
    let fatal = waitForFatal(chat, culprit, () => isOver);
    culprit.says('/help');
    for (const talker of talkers) waits.push(waitForHelp(talker, down));
    while ((await fatal) && down.length < MOST_DEATHS) {
      const stretch: [number, number] = [performance.now(), Infinity];
      down.push(stretch);
      await service.kill();
      fatal = waitForFatal(chat, culprit, () => isOver);
      service = await spawnService({ folder, env });
      stretch[1] = performance.now();
    }
    const isPutAside = (await putAside) !== undefined;
    return judge({ waits: await Promise.all(waits), isPutAside, down, service, talkers });
  } finally {
    await service.kill();
    await chat.close();
    remove();
  }
}

export async function greet(talker: Talker): Promise<void> {
  talker.says('/start');
  await talker.sees(({ text }) => text.includes('you are the owner'));
}

/** Resolves in the middle of what does it: true; false when it is over. */
async function waitForFatal({ api }: Chat, { user }: Talker, isOver: () => boolean): Promise<boolean> {
  const order = api.faults.at(
    1,
    ({ params }) =>
      params.text('chat_id') === String(user.id) && params.text('text')?.includes(HELP) === true,
    { kind: 'hang' },
  );
  while (order.met() === 0 && !isOver()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
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

function judge(of: {
  waits: readonly (number | undefined)[];
  isPutAside: boolean;
  down: readonly [number, number][];
  service: Service;
  talkers: readonly Talker[];
}): Crashed {
  const { waits, isPutAside, down, talkers } = of;
  const answered = waits.filter((wait) => wait !== undefined).toSorted((a, b) => a - b);
  const away = Math.round(down.reduce((sum, [from, to]) => sum + to - from, 0));
  const longest = Math.round(answered.at(-1) ?? 0);
  const told = `a crash loop: ${down.length} deaths, ${away} ms without a service; ${answered.length} people answered, the last of them ${longest} ms beside that`;
  const violations: string[] = [];
  if (answered.length < talkers.length) violations.push(`somebody was never answered. ${told}`);
  if (!isPutAside) violations.push(`what does it was never put aside. ${told}`);
  const wronged = talkers.filter((talker) =>
    talker.read().some(({ text }) => text.includes('I put it aside')),
  );
  if (wronged.length > 0) violations.push(`${wronged.length} others were put aside. ${told}`);
  if (longest > WITHIN_MS) violations.push(`somebody waited more than ${WITHIN_MS} ms. ${told}`);
  return { told, answered: answered.length, deaths: down.length, violations };
}

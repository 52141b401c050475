// The local stand-in for Telegram in a process of its own, so that its work is not counted as the bot's. Does what it
// is told by messages; people write from here.
import { createBotApi, type BotApi } from '../telegram/telegram.ts';
import type { User } from '../telegram/types.ts';

const TOKEN = '123456:bench';

export type StandInOrder =
  | { kind: 'open'; people: readonly number[] }
  /** So many updates with this text, from the people in turn; answered when as many messages came back. */
  | { kind: 'flood'; text: string; updates: number }
  /** One message; answered when the bot has called and then been silent for a while. */
  | { kind: 'say'; person: number; text: string; quietMs: number };

export interface StandInAnswer {
  url: string;
  /** What the bot called. */
  calls: string[];
}

const GIVE_UP_MS = 10_000;
const api = createBotApi({ token: TOKEN, flood: 'none' });
const people = new Map<number, User>();
let url = '';

process.on('disconnect', () => process.exit());
process.on('message', (order: StandInOrder) => {
  void callAll(api, order).then((calls) => process.send?.({ url, calls } satisfies StandInAnswer));
});

async function callAll(to: BotApi, order: StandInOrder): Promise<string[]> {
  switch (order.kind) {
    case 'open':
      for (const id of order.people) people.set(id, to.createUser({ id, first_name: `person ${id}` }));
      ({ url } = await to.listen());
      return [];
    case 'flood':
      await flood(to, order);
      return [];
    case 'say':
      return await say(to, order);
  }
}

function flood(to: BotApi, { text, updates }: { text: string; updates: number }): Promise<void> {
  let left = updates;
  const done = new Promise<void>((resolve) => {
    const unwatch = watchCalls(to, (method) => {
      if (method !== 'sendMessage') return;
      left -= 1;
      if (left > 0) return;
      unwatch();
      resolve();
    });
  });
  const writers = [...people.values()];
  for (let sent = 0; sent < updates; sent += 1) {
    const person = writers[sent % writers.length];
    if (person) to.send(person, person, text);
  }
  return done;
}

function say(
  to: BotApi,
  { person, text, quietMs }: { person: number; text: string; quietMs: number },
): Promise<string[]> {
  const user = people.get(person);
  if (!user) throw new Error(`There is no person ${person}.`);
  const calls: string[] = [];
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      unwatch();
      resolve(calls);
    };
    let timer = setTimeout(end, GIVE_UP_MS);
    const unwatch = watchCalls(to, (method) => {
      calls.push(method);
      clearTimeout(timer);
      timer = setTimeout(end, quietMs);
    });
    to.send(user, user, text);
  });
}

function watchCalls(to: BotApi, tell: (method: string) => void): () => void {
  return to.watch((event) => {
    if (event.kind === 'call') tell((event.detail as { method: string }).method);
  });
}

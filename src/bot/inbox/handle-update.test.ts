// When a chat is free for its next update: the next would find what is not kept yet as it was before.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { CoreError } from '../../core/index.ts';
import { createUpdateHandler } from './handle-update.ts';

function begin(rest: Promise<void> | undefined) {
  const steps: string[] = [];
  const gate = Promise.withResolvers<undefined>();
  const keep = (what: string) => () => {
    steps.push(`${what} …`);
    return gate.promise.then(() => void steps.push(what));
  };
  const handling = createUpdateHandler({
    store: {
      inbox: { begin: () => Promise.resolve(1), finish: keep('end') },
      conversations: { change: keep('change') },
    },
    log: {},
    handle: () => Promise.resolve(),
    takeChange: () => ({}),
    takeRest: () => rest,
    isStopping: () => false,
  } as never);
  const handled = handling.handle({ update: { update_id: 7 } } as never);
  void handled.then(() => steps.push('free'));
  return { steps, open: () => gate.resolve(undefined), handled };
}

test('is after the end of the update is kept', async () => {
  const { steps, open, handled } = begin(undefined);
  await turn();
  expect(steps).toEqual(['end …']);
  open();
  expect(await handled).toEqual({ over: true });
  expect(steps).toEqual(['end …', 'end', 'free']);
});

test('is after the change of its conversation is kept, where work of it goes on', async () => {
  const work = Promise.withResolvers<undefined>();
  const { steps, open, handled } = begin(work.promise);
  await turn();
  expect(steps).toEqual(['change …']);
  open();
  const outcome = await handled;
  await turn();
  expect(steps).toEqual(['change …', 'change', 'free']);
  work.resolve(undefined);
  await (outcome as { rest: Promise<void> }).rest;
  expect(steps.slice(3)).toEqual(['end …', 'end']);
});

interface Script {
  /** Which attempt it is; an error where that cannot be kept. */
  attempt?: number | Error;
  failure?: Error | undefined;
  rest?: () => Promise<undefined>;
  isStopping?: () => boolean;
  tries?: number;
}

/** Handles one update, and what was done and logged of it, in order. */
async function run({ attempt = 1, failure, rest, isStopping = () => false, tries = 0 }: Script) {
  const steps: string[] = [];
  const step = (what: string) => {
    steps.push(what);
    return Promise.resolve();
  };
  const logs = (level: string) => (_: object, message: string) => void steps.push(`${level}: ${message}`);
  const handling = createUpdateHandler({
    store: {
      inbox: {
        begin: () => (attempt instanceof Error ? Promise.reject(attempt) : Promise.resolve(attempt)),
        takeBack: () => step('taken back'),
        finish: (_id: number, state: string, change: unknown) => step(change ? `${state}, changed` : state),
        setAside: (_id: number, messages: readonly string[]) => step(`set aside: ${messages.join()}`),
      },
      conversations: { change: () => step('change') },
    },
    log: { warn: logs('warn'), error: logs('error') },
    handle: () => step('handled').then(() => (failure === undefined ? undefined : Promise.reject(failure))),
    tellFailed: () => step('told'),
    takeChange: () => ({}),
    takeRest: () => rest?.(),
    isStopping,
    wordSetAside: () => ['words'],
  } as never);
  const entry = { update: { update_id: 7 }, tries };
  const outcome = await handling.handle(entry as never);
  return { steps, outcome, entry, handling };
}

const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
const OVER = { over: true };

describe('an update', () => {
  test('that is over already is not handled', async () => {
    const { steps, outcome } = await run({ attempt: 0 });
    expect([steps, outcome]).toEqual([[], OVER]);
  });

  test('is handled three times, and set aside with words at the fourth', async () => {
    expect((await run({ attempt: 3 })).steps).toEqual(['handled', 'done, changed']);
    const { steps, outcome } = await run({ attempt: 4 });
    const logged = 'error: an update was interrupted three times: it is set aside';
    expect([steps, outcome]).toEqual([[logged, 'set aside: words'], OVER]);
  });

  test('that could not begin is tried again, after pauses that grow', async () => {
    const { steps, outcome, entry } = await run({ attempt: busy, tries: 2 });
    expect(steps).toEqual(['error: an update could not begin: tried again']);
    expect([outcome, entry.tries]).toEqual([{ over: false, pauseMs: 8_000 }, 3]);
  });

  test('during which the process began to stop is handled again at the next start, failed or not', async () => {
    for (const failure of [undefined, new Error('x')]) {
      const { steps, outcome } = await run({ isStopping: () => true, failure });
      expect([steps, outcome]).toEqual([['handled', 'taken back'], OVER]);
    }
  });

  test('that failed for good is told, and changes nothing', async () => {
    const { steps, outcome } = await run({ failure: new Error('x') });
    expect([steps, outcome]).toEqual([['handled', 'told', 'failed'], OVER]);
  });

  test('that a stop of the core interrupted is handled again at the next start', async () => {
    const { steps, outcome } = await run({ failure: new CoreError('STOPPING', 'Stops.') });
    expect([steps, outcome]).toEqual([['handled', 'taken back'], OVER]);
  });

  test('that the disk failed is tried again and costs no attempt; of a full queue nothing is logged', async () => {
    const { steps, outcome, entry } = await run({ failure: busy, tries: 1 });
    expect(steps).toEqual(['handled', 'taken back', 'warn: an update failed: tried again']);
    expect([outcome, entry.tries]).toEqual([{ over: false, pauseMs: 4_000 }, 2]);
    const full = await run({ failure: new CoreError('OVERLOADED', 'Busy.'), tries: 5 });
    expect(full.steps).toEqual(['handled', 'taken back']);
    expect(full.outcome).toEqual({ over: false, pauseMs: 2_000 });
  });
});

describe('what goes on of an update', () => {
  test('keeps it from its end, and is waited for until then', async () => {
    const work = Promise.withResolvers<undefined>();
    const { steps, outcome, handling } = await run({ rest: () => work.promise });
    expect(steps).toEqual(['handled', 'change']);
    expect(handling.rests()).toHaveLength(1);
    work.resolve(undefined);
    await (outcome as { rest: Promise<void> }).rest;
    expect(steps).toEqual(['handled', 'change', 'done']);
    expect(handling.rests()).toEqual([]);
  });

  test.each<[what: string, script: Script, last: string]>([
    ['which failed before', { failure: new Error('x'), rest: () => Promise.resolve(undefined) }, 'failed'],
    ['which fails in turn', { rest: () => Promise.reject(new Error('x')) }, 'failed'],
  ])('%s, is its failure', async (_, script, last) => {
    const { steps, outcome } = await run(script);
    await (outcome as { rest: Promise<void> }).rest;
    const told = script.failure ? ['told'] : [];
    expect(steps).toEqual(['handled', ...told, 'change', last]);
  });

  test('and fails in a stop is begun again at the next start', async () => {
    let stopping = false;
    const work = Promise.withResolvers<undefined>();
    const { steps, outcome } = await run({ rest: () => work.promise, isStopping: () => stopping });
    stopping = true;
    work.reject(new Error('stopped'));
    await (outcome as { rest: Promise<void> }).rest;
    expect(steps).toEqual(['handled', 'change', 'taken back']);
  });
});

// When a chat is free for its next update: the next would find what is not kept yet as it was before.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { createHandling } from './handling.ts';

function begin(rest: Promise<void> | undefined) {
  const steps: string[] = [];
  const gate = Promise.withResolvers<undefined>();
  const keep = (what: string) => () => {
    steps.push(`${what} …`);
    return gate.promise.then(() => void steps.push(what));
  };
  const handling = createHandling({
    keeping: {
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

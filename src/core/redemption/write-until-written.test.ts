// What must not be lost is written again and again, after growing pauses, until the process gives up.
import { expect, test } from 'vitest';

import { fake } from '../../../test/harness/fake.ts';
import type { Store } from '../../store/index.ts';
import { createInFlight, writeUntilWritten } from './in-flight.ts';

type Told = [level: string, about: unknown, text: string];

/** A store whose first `failing` writes fail; what it was asked for, and what was told. */
function open(failing: number) {
  const inFlight = createInFlight();
  const told: Told[] = [];
  const tell = (level: string) => (about: object, text: string) => void told.push([level, about, text]);
  const log = { info: tell('info'), warn: tell('warn'), error: tell('error') };
  const seen = { tries: 0 };
  const write = (work: () => unknown) => {
    seen.tries += 1;
    return seen.tries <= failing ? Promise.reject(new Error(`full ${seen.tries}`)) : Promise.resolve(work());
  };
  const deps = { store: fake({ write }) satisfies Store, inFlight, log };
  return { deps, inFlight, told, seen };
}

test('what is written at once is told to nobody', async () => {
  const { deps, told } = open(0);
  expect(await writeUntilWritten(deps, { redemptionId: 7 }, () => 'kept')).toBe('kept');
  expect(told).toEqual([]);
});

test('what fails is tried again told of once, and told again when it is written', async () => {
  const { deps, told } = open(3);
  expect(await writeUntilWritten(deps, { redemptionId: 7 }, () => 'kept')).toBe('kept');
  expect(told).toEqual([
    ['error', { err: new Error('full 1'), redemptionId: 7 }, expect.any(String)],
    ['info', { redemptionId: 7, failures: 3 }, expect.any(String)],
  ]);
});

test('when the process gives up the pause ends, and one last try decides', async () => {
  const { deps, inFlight, seen } = open(2);
  const written = writeUntilWritten(deps, { redemptionId: 7 }, () => 'kept');
  const rejected = expect(written).rejects.toThrow('full 2');
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen.tries).toBe(1);
  inFlight.giveUp.abort();
  await rejected;
  expect(seen.tries).toBe(2);
});

test('the last try may be the one that writes it', async () => {
  const { deps, inFlight } = open(1);
  const written = writeUntilWritten(deps, { redemptionId: 7 }, () => 'kept');
  await new Promise((resolve) => setImmediate(resolve));
  inFlight.giveUp.abort();
  expect(await written).toBe('kept');
});

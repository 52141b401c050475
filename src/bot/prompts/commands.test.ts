// What a button may stand for: a command with one short word behind it, as Telegram has room for.
import { expect, test } from 'vitest';

import { commandData } from './command-buttons.ts';

test.each(['stock', 'receipt_', 'buy_activations 1', 'invite support', 'accounts @some-one'])(
  'a button can stand for %s',
  (command) => expect(commandData(command)).toBe(`go:${command}`),
);

test.each(['', 'Stock', 'stock 1 2', `${'x'.repeat(33)}`, `find ${'x'.repeat(25)}`])(
  'no button can stand for %j',
  (command) => expect(() => commandData(command)).toThrow('A button cannot stand for the command'),
);

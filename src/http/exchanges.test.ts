// The whole wire, word for word, over the real core and the sandbox.
import { join } from 'node:path';
import { test } from 'vitest';

import { holdExchanges } from '../../test/world/play/exchange-file.ts';

test('each operation answers what the file says', () =>
  holdExchanges(join(import.meta.dirname, 'exchanges.txt')));

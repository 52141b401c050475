// No command is missing in /help.
import { expect, test } from 'vitest';

import { readLocale } from '../texts.ts';
import { GROUPS } from './basics.ts';

test('every command stands under one heading', () => {
  const described = readLocale('en').matchAll(/^command-([a-z-]+) =/gm);
  const names = [...described].map(([, name = '']) => name.replaceAll('-', '_'));
  expect(Object.values(GROUPS).flat().sort()).toEqual(names.sort());
});

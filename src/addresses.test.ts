// Ranges of addresses: what is in them, what is none.
import { expect, test } from 'vitest';

import { createAddressList, isCidr } from './addresses.ts';

test.each([
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.7', '203.0.113.8', false],
  ['203.0.113.0/24', '203.0.113.255', true],
  ['203.0.113.0/24', '::ffff:203.0.113.9', true],
  ['203.0.113.0/24', '203.0.114.0', false],
  ['2001:db8::/32', '2001:db8:1::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['0.0.0.0/0', '198.51.100.1', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['203.0.113.0/24', 'unknown', false],
])('%s: of %s it is %s', (cidr, address, is) => {
  expect(createAddressList(['192.0.2.1', cidr])(address)).toBe(is);
});

test.each([
  '',
  'x',
  '203.0.113.0/33',
  '203.0.113.0/',
  '2001:db8::/129',
  '1.2.3',
  'fe80::1%eth0',
  '1.2.3.4/8/8',
])('%j is no range', (text) => expect(isCidr(text)).toBe(false));

import { describe, expect, test } from 'vitest';

import { createAddresses } from './addresses.ts';
import type { HostAddress } from './look-up.ts';
import { isPublic } from './public.ts';

const toHosts = (...addresses: string[]): HostAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const PUBLIC = ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'];

const open = (...found: string[]) =>
  createAddresses({ allowPrivate: false, lookUp: () => Promise.resolve(toHosts(...found)) });

describe('an address of a host', () => {
  test.each(PUBLIC)('%s is public', (address) => expect(isPublic(address)).toBe(true));

  test.each([
    ['this machine', '127.0.0.1'],
    ['this machine', '127.200.3.4'],
    ['this network', '0.0.0.0'],
    ['a private network', '10.1.2.3'],
    ['a private network', '172.31.255.255'],
    ['a private network', '192.168.0.1'],
    ['the network of a carrier', '100.64.0.1'],
    ['the metadata of a cloud', '169.254.169.254'],
    ['the metadata of a cloud, in a public range', '168.63.129.16'],
    ['examples', '203.0.113.7'],
    ['measurements', '198.18.0.1'],
    ['the old relay of 6to4', '192.88.99.1'],
    ['multicast', '224.0.0.1'],
    ['the reserve', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['this machine', '::1'],
    ['nothing', '::'],
    ['a link', 'fe80::1'],
    ['a link, with its zone', 'fe80::1%eth0'],
    ['a unique local network', 'fd12:3456::1'],
    ['a site of old', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['IPv4, mapped', '::ffff:127.0.0.1'],
    ['IPv4, mapped, in hexadecimal', '::ffff:7f00:1'],
    ['IPv4, mapped, though public', '::ffff:93.184.215.14'],
    ['IPv4, compatible', '::127.0.0.1'],
    ['IPv4, translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64 of a network of its own', '64:ff9b:1::a00:1'],
    ['6to4', '2002:7f00:1::1'],
    ['Teredo', '2001:0:53aa:64c:0:fbe8:807d:1'],
    ['examples', '2001:db8::1'],
    ['nobody', '4000::1'],
    ['no address', 'localhost'],
  ])('of %s is not: %s', (_, address) => expect(isPublic(address)).toBe(false));
});

describe('an address to be told at', () => {
  test('is taken where all its hosts are public, and kept as it is read', async () => {
    const addresses = open(...PUBLIC);
    expect(await addresses.check('HTTPS://Shop.Example:443/a b?token=1#part')).toEqual({
      url: 'https://shop.example/a%20b?token=1',
    });
    expect(await addresses.check('https://93.184.215.14:8443/')).toEqual({
      url: 'https://93.184.215.14:8443/',
    });
  });

  test.each([
    ['words', 'notAnAddress'],
    ['//shop.example/hook', 'notAnAddress'],
    ['http://shop.example', 'notHttps'],
    ['ftp://shop.example', 'notHttps'],
    ['file:///etc/passwd', 'notHttps'],
    ['https://name:secret@shop.example', 'withPassword'],
    ['https://name@shop.example', 'withPassword'],
    [`https://shop.example/${'x'.repeat(1_000)}`, 'tooLong'],
  ])('is refused: %s', async (url, flaw) => {
    expect(await open(...PUBLIC).check(url)).toEqual({ flaw });
  });

  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://0300.0250.0.1/',
    'https://127.1/',
    'https://0/',
    'https://127.0.0.1./',
    'https://①②⑦.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[2002:a00:1::]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
  ])('is refused however it is written: %s', async (url) => {
    expect(await open().check(url)).toEqual({ flaw: 'notPublic' });
  });

  test('is refused where any of its hosts is private, or none is known, or nobody could be asked', async () => {
    expect(await open(PUBLIC[0]!, '10.0.0.1').check('https://shop.example')).toEqual({ flaw: 'notPublic' });
    expect(await open().check('https://shop.example')).toEqual({ flaw: 'unknownHost' });
    const failing = createAddresses({
      allowPrivate: false,
      lookUp: () => Promise.reject(new Error('no name server')),
    });
    expect(await failing.check('https://shop.example')).toEqual({ flaw: 'unresolved' });
  });

  test('is looked up anew each time: a name that leads elsewhere the second time is refused then', async () => {
    const answers = [toHosts(PUBLIC[0]!), toHosts('127.0.0.1')];
    const addresses = createAddresses({
      allowPrivate: false,
      lookUp: () => Promise.resolve(answers.shift() ?? []),
    });
    expect(await addresses.check('https://shop.example')).toHaveProperty('url');
    expect(await addresses.resolve('https://shop.example')).toEqual({ flaw: 'notPublic' });
  });

  test('may be http and private for trying, and nothing else', async () => {
    const addresses = createAddresses({ allowPrivate: true });
    expect(await addresses.check('http://localhost:9/hook')).toEqual({ url: 'http://localhost:9/hook' });
    expect(await addresses.check('http://[::1]:9')).toEqual({ url: 'http://[::1]:9/' });
    expect(await addresses.check('ftp://localhost')).toEqual({ flaw: 'notHttps' });
  });
});

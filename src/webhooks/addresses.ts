// Where webhooks may go: https, and addresses that anybody on the internet can reach. A name is looked up anew at every
// delivery and the request goes to the very addresses that were looked at, so that a name which changes its mind leads
// nowhere.
import { isIP } from 'node:net';

import type { AddressFlaw, CheckAddress } from '../core/index.ts';
import { createLookUp, lookUpHere, type HostAddress, type LookUp } from './look-up.ts';

type Resolved = { url: URL; addresses: HostAddress[] } | { flaw: AddressFlaw };

export interface Addresses {
  /** For who registers one. */
  check: CheckAddress;
  /** The addresses to deliver to now. Never rejects. */
  resolve(url: string): Promise<Resolved>;
}

const LONGEST_URL = 1_000;

/** `allowPrivate`: http and any address, for trying. */
export function createAddresses({
  allowPrivate,
  lookUp = allowPrivate ? lookUpHere : createLookUp(),
}: {
  allowPrivate: boolean;
  lookUp?: LookUp;
}): Addresses {
  async function resolve(text: string): Promise<Resolved> {
    const read = readUrl(text, allowPrivate);
    if ('flaw' in read) return read;
    const { url } = read;
    let addresses: HostAddress[];
    try {
      addresses = await findAddresses(url, lookUp);
    } catch {
      return { flaw: 'unresolved' };
    }
    if (addresses.length === 0) return { flaw: 'unknownHost' };
    // One that is forbidden among several is no accident.
    if (!allowPrivate && !(await areAllPublic(addresses))) return { flaw: 'notPublic' };
    return { url, addresses };
  }

  return {
    resolve,
    async check(text) {
      const resolved = await resolve(text);
      return 'flaw' in resolved ? resolved : { url: resolved.url.href };
    },
  };
}

async function areAllPublic(addresses: readonly HostAddress[]): Promise<boolean> {
  // Loaded when there is a webhook: a service without one does not pay for it at its start.
  const { isPublic } = await import('./public.ts');
  return addresses.every(({ address }) => isPublic(address));
}

function readUrl(text: string, allowPrivate: boolean): { url: URL } | { flaw: AddressFlaw } {
  if (text.length > LONGEST_URL) return { flaw: 'tooLong' };
  if (!URL.canParse(text)) return { flaw: 'notAnAddress' };
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return { flaw: 'notHttps' };
  if (url.username !== '' || url.password !== '') return { flaw: 'withPassword' };
  url.hash = '';
  return { url };
}

// The parser of URLs has written an IPv4 address in dots by now, however it was given: 0x7f.1, 2130706433, 0177.0.0.1.
function findAddresses({ hostname }: URL, lookUp: LookUp): Promise<HostAddress[]> | HostAddress[] {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(literal);
  return family === 0 ? lookUp(hostname) : [{ address: literal, family: family === 4 ? 4 : 6 }];
}

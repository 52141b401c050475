// Where webhooks may go: https, and addresses that anybody on the internet can reach. A name is looked up anew at every delivery
// and the request goes to the very addresses that were looked at, so that a name which changes its mind leads nowhere.
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

import type { AddressFlaw, CheckAddress } from '../core/index.ts';

/** An address of a host, as sockets take it. */
export interface HostAddress {
  address: string;
  family: 4 | 6;
}

/** Every address of a name; none where there is no such name. Rejects where it could not be asked. */
export type LookUp = (name: string) => Promise<HostAddress[]>;

export type Resolved = { url: URL; addresses: HostAddress[] } | { flaw: AddressFlaw };

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

const ASKED_WITHIN_MS = 2_000;
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA']);

/** Asks name servers beside the threads that files and cryptography need: a slow one holds up nothing else. */
function createLookUp(): LookUp {
  const resolver = new Resolver({ timeout: ASKED_WITHIN_MS, tries: 2 });
  const ask = async (name: string, family: 4 | 6): Promise<HostAddress[]> => {
    try {
      const found = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
      return found.map((address) => ({ address, family }));
    } catch (error) {
      if (error instanceof Error && 'code' in error && NO_SUCH_NAME.has(String(error.code))) return [];
      throw error;
    }
  };
  return async (name) => {
    const answers = await Promise.allSettled([ask(name, 4), ask(name, 6)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (found.length === 0 && failed) throw failed.reason;
    return found;
  };
}

/** As this machine knows names, `localhost` and its own list included. */
async function lookUpHere(name: string): Promise<HostAddress[]> {
  try {
    const found = await lookup(name, { all: true });
    return found.map(({ address, family }) => ({ address, family: family === 4 ? 4 : 6 }));
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_SUCH_NAME.has(String(error.code))) return [];
    throw error;
  }
}

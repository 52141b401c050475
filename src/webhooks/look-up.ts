// DNS look-up of the host of a webhook address.
import { lookup, Resolver } from 'node:dns/promises';

/** An address of a host, as sockets take it. */
export interface HostAddress {
  address: string;
  family: 4 | 6;
}

/** Every address of a name; none where there is no such name. Rejects where it could not be asked. */
export type LookUp = (name: string) => Promise<HostAddress[]>;

const ASKED_WITHIN_MS = 2_000;
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Asks name servers beside the threads that files and cryptography need: a slow one holds up nothing else. `servers`:
 * instead of those of this machine.
 */
export function createLookUp(servers?: readonly string[]): LookUp {
  const resolver = new Resolver({ timeout: ASKED_WITHIN_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
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
export async function lookUpHere(name: string): Promise<HostAddress[]> {
  try {
    const found = await lookup(name, { all: true });
    return found.map(({ address, family }) => ({ address, family: family === 4 ? 4 : 6 }));
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_SUCH_NAME.has(String(error.code))) return [];
    throw error;
  }
}

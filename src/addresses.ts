// Addresses of the internet and ranges of them (CIDR), of both versions.
import { BlockList, isIP } from 'node:net';

/** Whether an address is one of these. What is no CIDR is left out. */
export function createAddressList(cidrs: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const read = readCidr(cidr);
    if (read) list.addSubnet(read.net, read.bits, read.family);
  }
  return (address) => {
    // As a socket of both versions writes one of IPv4.
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 6 ? 'ipv6' : 'ipv4');
  };
}

export const isCidr = (text: string): boolean => readCidr(text) !== undefined;

/** An address alone is a range of one; undefined for what is none. */
function readCidr(text: string): { net: string; bits: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [net = '', given, ...rest] = text.split('/');
  const version = isIP(net);
  if (version === 0 || rest.length > 0 || net.includes('%')) return undefined;
  const most = version === 4 ? 32 : 128;
  const bits = given === undefined ? most : /^\d{1,3}$/.test(given) ? Number(given) : most + 1;
  return bits > most ? undefined : { net, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

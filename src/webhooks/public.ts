// Which addresses anybody on the internet can reach.
import ipaddr from 'ipaddr.js';

/** What a cloud answers its machines with: of a public range, and not of the internet. */
const INSIDE_A_CLOUD = '168.63.129.16';

/**
 * What is routed in the open internet; anything of a special kind is not, even where it would lead to such an address.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || address === INSIDE_A_CLOUD) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // IPv6 gives out nothing else; what lies outside may be anything.
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.IPv6.parse('2000::'), 3);
}

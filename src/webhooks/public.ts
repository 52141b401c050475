// Which addresses anybody on the internet can reach.
import ipaddr from 'ipaddr.js';

/** What is routed in the open internet; anything of a special kind is not, even where it would lead to such an address. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // IPv6 gives out nothing else; what lies outside may be anything.
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.IPv6.parse('2000::'), 3);
}

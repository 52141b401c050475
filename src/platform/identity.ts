// Whom a service asks about codes, in a few words: what a database was used with is not taken for another.

type Named = { kind: 'sandbox' } | { kind: 'upstream'; url: string };

/** The same for every way to write one address. */
export function identifyPlatform(platform: Named): string {
  if (platform.kind === 'sandbox') return 'sandbox';
  return `upstream ${formatAddress(platform.url)}`;
}

/** What an upstream is: another profile, address or name of a game is another service. */
export function identifyUpstream({
  profileName,
  url,
  games,
}: {
  profileName: string;
  url: string;
  games?: Readonly<Record<string, string>> | undefined;
}): string {
  const named = Object.entries(games ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const known = games ? [` with ${named.map(([ours, theirs]) => `${ours} as ${theirs}`).join(', ')}`] : [];
  return [`${profileName} at ${formatAddress(url)}`, ...known].join('');
}

function formatAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.replace(/\/$/, '');
}

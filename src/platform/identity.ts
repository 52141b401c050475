// Whom a service asks about codes, as one word or two: a database that was used with one platform is not served with another.

type Named = { kind: 'sandbox' } | { kind: 'upstream'; url: string };

/** The same for every way to write one address. */
export function identifyPlatform(platform: Named): string {
  if (platform.kind === 'sandbox') return 'sandbox';
  const { origin, pathname } = new URL(platform.url);
  return `upstream ${origin}${pathname}`.replace(/\/$/, '');
}

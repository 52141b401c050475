// What a browser is called to its person: `Firefox on Linux`. Only for people to recognise it by; nothing is decided by
// it.
const BROWSERS: readonly [mark: string, name: string][] = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['YaBrowser/', 'Yandex Browser'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
];
const SYSTEMS: readonly [mark: string, name: string][] = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
];

/** Of the header `User-Agent`, of which nothing is taken over as it is. */
export function nameBrowser(userAgent: string | undefined): string {
  const find = (marks: typeof BROWSERS) => marks.find(([mark]) => userAgent?.includes(mark))?.[1];
  const [browser, system] = [find(BROWSERS) ?? 'Browser', find(SYSTEMS)];
  return system === undefined ? browser : `${browser} on ${system}`;
}

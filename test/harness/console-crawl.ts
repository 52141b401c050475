// Every page of the console that its links lead to, as somebody who presses each of them, and the forms that they hold.
import type { Browser } from './console.ts';

export interface Crawled {
  /** Below /console, with its query. */
  path: string;
  status: number;
  headers: Headers;
  html: string;
}

export interface FoundForm {
  /** Below /console. */
  action: string;
  /** As its page fills it in. */
  fields: Record<string, string>;
}

/** From the day's page on; of addresses that differ in numbers and queries alone, `most` are asked for. */
export async function crawl(
  browser: Pick<Browser, 'get'>,
  { from = [''], most = 2 }: { from?: readonly string[]; most?: number } = {},
): Promise<Crawled[]> {
  const [found, waiting] = [new Map<string, Crawled>(), [...from]];
  const asked = new Map<string, number>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const shape = shapeOf(path);
    const count = asked.get(shape) ?? 0;
    if (found.has(path) || count >= most || path.startsWith('/assets/')) continue;
    asked.set(shape, count + 1);
    const shown = await browser.get(path);
    found.set(path, { path, ...shown });
    for (const link of linksIn(shown)) waiting.push(link);
  }
  return [...found.values()];
}

/** `/receipts/7?per=50` and `/receipts/8?sort=at` are of one shape. */
const shapeOf = (path: string): string =>
  path.replace(/\?.*/s, '?').replaceAll(/\/(?:\d+|(?:ord|clm)_[\w-]+)/g, '/:id');

function linksIn({ html, headers }: Omit<Crawled, 'path'>): string[] {
  const to = headers.get('location') ?? '';
  const links = [...html.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => unescape(href));
  return [to, ...links].filter((href) => href.startsWith('/console')).map((href) => href.slice(8));
}

export function formsIn({ html }: Pick<Crawled, 'html'>): FoundForm[] {
  return [...html.matchAll(/<form\s+method="post"\s+action="\/console([^"]*)"([^]*?)<\/form>/g)].map(
    ([, action = '', body = '']) => ({
      action: unescape(action),
      fields: Object.fromEntries(
        [...body.matchAll(/<(?:input|select|textarea)[^>]*? name="([^"]*)"(?:[^>]*? value="([^"]*)")?/g)].map(
          ([, name = '', value = '']) => [name, unescape(value)],
        ),
      ),
    }),
  );
}

const MARKS: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
const unescape = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (whole, mark: string) => MARKS[mark] ?? whole);

// Rows 12 to 15 of the scorecard with the console among the doors: every page that links lead to, and every form of
// them, in a shop whose names are hostile and whose secrets can be searched for.
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { CONSOLE_ORIGIN, openTestConsole, postOf, type Browser } from '../../test/harness/console.ts';
import { crawl, formsIn, type Crawled, type FoundForm } from '../../test/harness/console-crawl.ts';
import {
  HOSTILE,
  openConsoleCore,
  openConsoleShop,
  TURNS_TEXT,
  type ConsoleShop,
} from '../../test/harness/console-shop.ts';
import type { TestCore } from '../../test/harness/core.ts';
import { readCsv } from '../../test/harness/csv.ts';
import { createSeeded } from '../../test/harness/seeded.ts';
import { ROLES } from '../core/index.ts';
import { SCREENS } from './screens/index.ts';

const MINUTE_MS = 60_000;
/** What a browser would read as markup of theirs; a formula, also behind what is not seen. */
const MARKUP = /<x-evil|"onevil|'onevil/;
const FORMULA = /^[\s\p{Cf}]*[=+\-@]/u;

let t: TestCore;
let app: ReturnType<typeof openTestConsole>;
beforeAll(async () => {
  t = await openConsoleCore();
  app = openTestConsole(t);
});
afterAll(() => t.close());
// Ten may enter in a minute.
beforeEach(() => t.clock.advance(MINUTE_MS));

const isCsv = ({ headers }: Crawled) => headers.get('content-type')?.startsWith('text/csv') === true;
const searchFor = (text: string) => `/receipts?q=${encodeURIComponent(text)}`;
const pathsOf = (pages: readonly Crawled[], are: (page: Crawled) => boolean) =>
  pages.filter(are).map(({ path }) => path);
const secretsIn = ({ secrets }: ConsoleShop, pages: readonly Crawled[]) =>
  pathsOf(pages, ({ html }) => secrets.some((secret) => html.includes(secret)));

test.each(HOSTILE)(
  'nothing is injected, turned or computed where everything is called %j',
  async (called) => {
    const shop = await openConsoleShop(t, called);
    const shown: Crawled[] = [];
    for (const actor of [shop.members.owner, shop.members.operator, { kind: 'host', by: 909 } as const]) {
      const from = actor.kind === 'host' ? ['/host'] : ['', searchFor(called), '/people'];
      shown.push(...(await crawl(await app.enter(actor), { from })));
    }
    const pages = shown.filter((page) => !isCsv(page));
    expect(pathsOf(pages, ({ html }) => MARKUP.test(html) || TURNS_TEXT.test(html))).toEqual([]);
    const cells = shown.filter(isCsv).flatMap(({ html }) => readCsv(html).flat());
    expect(cells.filter((cell) => FORMULA.test(cell))).toEqual([]);
    expect(shown.filter(({ headers }) => [...headers].flat().some((text) => text.includes('evil')))).toEqual(
      [],
    );
    // It was there to be shown.
    const typed = called.includes('<') ? '&lt;x-evil&gt;' : 'x-evil';
    expect(pages.filter(({ html }) => html.includes(typed)).length).toBeGreaterThan(15);
    expect(cells.filter((cell) => cell.includes('evil')).length).toBeGreaterThan(10);
  },
);

describe('a secret', () => {
  let shop: ConsoleShop;
  beforeAll(async () => void (shop = await openConsoleShop(t)));

  test('is on no page but those that are for it, while one has just entered, and then on none', async () => {
    for (const role of ROLES) {
      const browser = await app.enter(shop.members[role]);
      const [fresh, press] = [await crawl(browser), await showAll(browser, shop)];
      t.clock.advance(6 * MINUTE_MS);
      const [stale, late] = [await crawl(browser), await showAll(browser, shop)];
      const of = { owner: 2, admin: 2, operator: 1, support: 0 }[role];
      const own = Array.from({ length: of }, () => '/batches');
      const paths = secretsIn(shop, fresh).map((path) => path.replace(/\/\d.*/, ''));
      expect([role, paths.toSorted()]).toEqual([role, own.toSorted()]);
      expect([role, press.status, secretsIn(shop, [press]).length]).toEqual([role, 200, 1]);
      expect([role, late.status, secretsIn(shop, [...stale, late])]).toEqual([role, 403, []]);
    }
  });

  test('that a list was filtered by is not written into the log with its file', async () => {
    const browser = await app.enter(shop.members.owner);
    const code = shop.secrets[1]!;
    const answer = await browser.post(`/receipts.csv?code=${code}&codes=full`, { reason: 'asked' });
    expect(answer.html).toContain(code);
    expect((await browser.get('/log.csv')).html).not.toContain(code);
  });
});

/** Of the receipt that has a code and a login. */
async function showAll(browser: Browser, { accountId, members }: ConsoleShop): Promise<Crawled> {
  const { rows } = await t.core.receiptList.page(
    { ...members.owner, accountId },
    { state: 'redeemed' },
    { order: 'oldest', limit: 10 },
  );
  const path = `/receipts/${rows[0]!.id}/show`;
  return { path, ...(await browser.post(path)) };
}

describe('what is not of this session', () => {
  let shop: ConsoleShop;
  let [pages, forms]: [Crawled[], FoundForm[]] = [[], []];
  beforeAll(async () => {
    shop = await openConsoleShop(t);
    pages = await crawl(await app.enter(shop.members.owner), { most: 9 });
    const found = pages.flatMap(formsIn).map(({ action, fields }) => ({
      action,
      fields: { ...fields, sure: 'yes', reason: 'forged', text: '60 UC 60SFORGED0000001' },
    }));
    forms = [...new Map(found.map((form) => [JSON.stringify(form), form])).values()];
  });

  test('is neither shown nor done to another account', async () => {
    const rows = rowsOf(shop);
    const other = await app.enter((await openConsoleShop(t, 'Other')).members.owner);
    expect(forms.length).toBeGreaterThan(20);
    const [{ name = '' } = {}] = t.core.accounts.list(
      { kind: 'host', by: 'cli' },
      { after: shop.accountId - 1 },
    );
    for (const { path } of pages) {
      const shown = { path, ...(await other.get(path)) };
      expect([path, shown.html.includes(name), secretsIn(shop, [shown])]).toEqual([path, false, []]);
    }
    for (const { action, fields } of forms) await other.post(action, fields);
    expect(rowsOf(shop)).toEqual(rows);
  });

  test('is not done without a session, with one made up, or from elsewhere', async () => {
    const [ended, owner] = [await app.enter(shop.members.owner), await app.enter(shop.members.owner)];
    const [first] = t.core.consoleAccess.list(shop.members.owner.telegramId).slice(-2);
    await t.core.consoleAccess.end(shop.members.owner, first!.id);
    const rows = rowsOf(shop);
    const random = createSeeded(13);
    const forgeries: (() => Record<string, string>)[] = [
      () => ({}),
      () => ({ cookie: ended.cookie }),
      () => ({ cookie: forge(owner.cookie, random) }),
      () => ({ cookie: owner.cookie, origin: '' }),
      () => ({ cookie: owner.cookie, origin: `${CONSOLE_ORIGIN}.evil.invalid` }),
      () => ({ cookie: owner.cookie, 'sec-fetch-site': 'cross-site' }),
    ];
    for (const { action, fields } of forms)
      for (const forged of forgeries) {
        const sent = postOf(fields, forged());
        const { status } = await app.app.request(`${CONSOLE_ORIGIN}${action}`, sent);
        expect([action, status === 401 || status === 403]).toEqual([action, true]);
      }
    expect(rowsOf(shop)).toEqual(rows);
    // The same forms, of the session itself, do something.
    for (const { action, fields } of forms) await owner.post(action, fields);
    expect(rowsOf(shop)).not.toEqual(rows);
  });

  test('is no link, however near it is to one', async () => {
    const { owner } = shop.members;
    const [link, random] = [await t.core.consoleAccess.link(owner, owner.telegramId), createSeeded(14)];
    for (let tries = 0; tries < 100; tries += 1) {
      if (tries % 9 === 0) t.clock.advance(MINUTE_MS / 4);
      const url = `${CONSOLE_ORIGIN}/enter/${encodeURIComponent(forge(link, random))}`;
      const sent = tries % 9 === 0 ? postOf({ once: 'a' }) : {};
      const answer = await app.app.request(url, sent);
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([410, null]);
    }
    expect(t.core.consoleAccess.findLink(link).status).toBe('open');
  });
});

/** One character other, more, or less. */
function forge(text: string, random: ReturnType<typeof createSeeded>): string {
  const at = random.between(text.indexOf('=') + 1, text.length - 1);
  const other = text[at] === 'A' ? 'B' : 'A';
  return text.slice(0, at) + random.pick([other, `${text[at]}${other}`, '']) + text.slice(at + 1);
}

/** Everything that is written of an account. */
function rowsOf({ accountId }: ConsoleShop): object {
  const file = new Database(t.store.path, { readonly: true });
  try {
    const tables = file
      .prepare<[], { name: string }>(
        `SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
         WHERE m.type = 'table' AND c.name = 'account_id'`,
      )
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        name,
        file.prepare(`SELECT * FROM ${name} WHERE account_id = ?`).all(accountId),
      ]),
    );
  } finally {
    file.close();
  }
}

test('a form that needs who has just entered is refused later, whatever it asks', async () => {
  const shop = await openConsoleShop(t);
  const browser = await app.enter(shop.members.owner);
  t.clock.advance(6 * MINUTE_MS);
  const rows = rowsOf(shop);
  const routes = SCREENS.flatMap((screen) => screen.routes).filter(({ fresh }) => fresh);
  // No page offers it any more.
  const leads = (to: string) =>
    routes.some(({ path }) => path === to.replace(/\?.*/s, '').replace(/\/\d+(?=\/|$)/, '/:id'));
  const offered = (await crawl(browser)).flatMap(formsIn).map(({ action }) => action);
  expect([offered.length > 5, offered.filter(leads)]).toEqual([true, []]);
  for (const { method, path } of routes) {
    const asked = path.replace(':id', '1');
    const { status } =
      method === 'GET' ? await browser.get(asked) : await browser.post(asked, { sure: 'yes' });
    expect([path, status]).toEqual([path, 403]);
  }
  expect(rowsOf(shop)).toEqual(rows);
});

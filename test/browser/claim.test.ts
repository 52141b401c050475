// The page of a claim link in a browser: the whole road of a buyer at a phone's and a desk's width, in both languages,
// light and dark, with scripts and without; pressed twice, and open in two tabs.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../harness/app.ts';
import { makeCode } from '../harness/core.ts';
import type { ApiKeyActor } from '../../src/core/index.ts';
import type { Platform } from '../../src/platform/port.ts';
import { noBrowser, openPage, startBrowser } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GAME = 'game_id_1';
const [PLAYER, OTHER, NOBODY] = ['5170925570', '5170925571', '4040000001'];
const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 800 };
/** What comes of such a code no platform tells, not when it is asked again either. */
const MUTE = 'MUTE';

/** What is read on the way. */
const WORDS = {
  en: {
    find: 'Find the player',
    malformed: 'A player ID has 5 to 20 digits',
    nobody: 'There is no such player',
    who: 'Is this you?',
    confirm: /^Yes, send 60/,
    other: 'No, another player',
    sending: 'Being sent',
    longer: 'It takes longer than usual',
    stuck: 'The shop has to look into this',
    done: 'Done',
    login: 'Login',
    proof: 'Proof',
    changed: 'Another player was looked up meanwhile',
    none: 'There is nothing at this link',
  },
  ru: {
    find: 'Найти игрока',
    malformed: 'В ID игрока от 5 до 20 цифр',
    nobody: 'Такого игрока нет',
    who: 'Это вы?',
    confirm: /^Да, отправить 60/,
    other: 'Нет, другой игрок',
    sending: 'Отправляется',
    longer: 'больше времени, чем обычно',
    stuck: 'Здесь нужен магазин',
    done: 'Готово',
    login: 'Логин',
    proof: 'Подтверждение картинкой',
    changed: 'Тем временем искали другого игрока',
    none: 'По этой ссылке ничего нет',
  },
} as const;
type Language = keyof typeof WORDS;

const withoutAnswers = (sandbox: Platform): Platform => ({
  ...sandbox,
  redeem: (order, options) =>
    order.code.startsWith(MUTE)
      ? Promise.resolve({ status: 'unknown', errorCode: 'UNKNOWN', message: 'Nothing came back.' })
      : sandbox.redeem(order, options),
});

describe.skipIf(noBrowser)(`the page of a claim link${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startTestApp({ through: withoutAnswers }), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  let numbers = 0;
  /** A link of a shop of its own, for one code that the sandbox does this with. */
  async function issue(code = makeCode('60S')) {
    const host = { kind: 'host', by: 'cli' } as const;
    const { apiKey } = await app.core.accounts.create(host, { name: 'Top-up Shop', days: 30 });
    const { actor } = app.core.apiKeys.authenticate(apiKey)!;
    await app.core.codes.add(actor, GAME, [{ denomination: 60, codes: [code] }]);
    const idempotencyKey = { scope: 'http', key: 'link' } as const;
    const asked = { gameId: GAME, denomination: 60, count: 1, idempotencyKey };
    const answer = await app.core.claims.issue(actor, asked);
    const [claim] = answer.status === 'issued' ? answer.claims : [];
    if (!claim) throw new Error(answer.status);
    return { actor, id: claim.id, url: `${app.url}/c/${claim.token}` };
  }

  /** A browser of its own, with an address of its own. */
  async function open(language: Language, options: BrowserContextOptions = {}) {
    const headers = { 'x-forwarded-for': `203.0.113.${(numbers += 1) % 250}` };
    return openPage(browser, { locale: language, extraHTTPHeaders: headers, ...options });
  }

  /** What is wider than the window, and what axe finds that is serious. */
  async function judge(page: Page, name: string): Promise<string[]> {
    const over = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    await page.evaluate(AXE);
    const serious = await page.evaluate<string[]>(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
       .filter(({ impact }) => ['serious', 'critical'].includes(impact))
       .flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + target.join(' '))))`,
    );
    return [...serious, ...(over > 0 ? [`wider by ${over}`] : [])].map((each) => `${name}: ${each}`);
  }

  async function find(page: Page, language: Language, playerId: string): Promise<void> {
    await page.locator('input[name=playerId]').fill(playerId);
    await page.getByRole('button', { name: WORDS[language].find }).click();
  }

  const listPlayers = (actor: ApiKeyActor) =>
    app.core.receipts.list(actor, {}).map(({ playerId }) => playerId);

  test.each([
    { language: 'ru', scheme: 'dark', viewport: PHONE },
    { language: 'en', scheme: 'light', viewport: DESK },
  ] as const)(
    'axe finds nothing serious on it, whatever it shows, and it fits: $language, $scheme, $viewport.width px',
    async ({ language, scheme, viewport }) => {
      const words = WORDS[language];
      const { page, foreign, complaints } = await open(language, { viewport, colorScheme: scheme });
      const found: string[] = [];
      const see = async (name: keyof typeof words) => {
        await page.getByText(words[name]).first().waitFor();
        found.push(...(await judge(page, name)));
      };
      const slow = await issue(makeCode('SLOW'));
      await page.goto(slow.url);
      await see('find');
      await find(page, language, '12');
      await see('malformed');
      await find(page, language, PLAYER);
      await see('confirm');
      await page.getByText(words.other).click();
      await see('other');
      await page.getByRole('button', { name: words.confirm }).click();
      await see('sending');
      await see('done');
      const doubted = await issue(makeCode(MUTE));
      await page.goto(doubted.url);
      await find(page, language, PLAYER);
      await page.getByRole('button', { name: words.confirm }).click();
      await see('longer');
      const stuck = await issue();
      await page.goto(stuck.url);
      for (let times = 0; times < 3; times += 1) await find(page, language, `${NOBODY}${times}`);
      await see('stuck');
      await page.goto(`${app.url}/c/nothing`);
      await see('none');
      const ours = complaints.filter((line) => !line.includes('404'));
      expect([found, foreign, ours]).toEqual([[], [], []]);
      await page.context().close();
    },
    90_000,
  );

  test.each([
    { script: true, language: 'en', viewport: PHONE },
    { script: false, language: 'ru', viewport: PHONE },
    { script: true, language: 'ru', viewport: DESK },
    { script: false, language: 'en', viewport: DESK },
  ] as const)(
    'from a wrong ID to the receipt and its picture: $language, $viewport.width px, script: $script',
    async ({ script, language, viewport }) => {
      const words = WORDS[language];
      const { actor, url, id } = await issue();
      const { page } = await open(language, { viewport, javaScriptEnabled: script });
      await page.goto(url);
      await find(page, language, '12');
      await page.getByText(words.malformed).waitFor();
      await find(page, language, NOBODY);
      await page.getByText(words.nobody).waitFor();
      await find(page, language, ` ${PLAYER} `);
      await page.getByText(words.who).waitFor();
      expect(await page.getByText(PLAYER, { exact: true }).count()).toBe(1);
      await page.getByRole('button', { name: words.confirm }).click();
      await page.getByText(words.done).waitFor();
      await page.getByText(words.login).first().waitFor();
      const [picture] = await Promise.all([
        page.waitForResponse((answer) => answer.url().endsWith('.png')),
        page.getByRole('link', { name: words.proof }).click(),
      ]);
      expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/png']);
      expect(app.core.claims.find(actor, id)).toMatchObject({ state: 'settled', playerId: PLAYER });
      // Another browser reads that it is done, and no login.
      const { page: others } = await open(language, { viewport });
      await others.goto(url);
      await others.getByText(words.done).waitFor();
      expect(await others.getByText(words.login).count()).toBe(0);
      await Promise.all([page, others].map((each) => each.context().close()));
    },
    60_000,
  );

  test('pressed twice it is sent once', async () => {
    const { actor, url } = await issue();
    const { page } = await open('en', { viewport: PHONE });
    await page.goto(url);
    await find(page, 'en', PLAYER);
    await page.getByRole('button', { name: WORDS.en.confirm }).dblclick();
    await page.getByText('Done').waitFor();
    expect(listPlayers(actor)).toEqual([PLAYER]);
    await page.context().close();
  });

  test('in two tabs the one that was looked up last is sent to, and the other tab says so', async () => {
    const { actor, url } = await issue();
    const { page: first } = await open('en', { viewport: PHONE });
    const second = await first.context().newPage();
    await Promise.all([first.goto(url), second.goto(url)]);
    await find(first, 'en', PLAYER);
    await first.getByText('Is this you?').waitFor();
    await find(second, 'en', OTHER);
    await second.getByText('Is this you?').waitFor();
    await first.getByRole('button', { name: WORDS.en.confirm }).click();
    await first.getByText(WORDS.en.changed).waitFor();
    await first.getByText(OTHER, { exact: true }).waitFor();
    expect(listPlayers(actor)).toEqual([]);
    await second.getByRole('button', { name: WORDS.en.confirm }).click();
    await second.getByText('Done').waitFor();
    await first.reload();
    await first.getByText('Done').waitFor();
    expect(listPlayers(actor)).toEqual([OTHER]);
    await first.context().close();
  });
});

// The wording of receipts, whatever a receipt holds: nothing too long, nothing that is not escaped, nothing secret in a
// group.
import { describe, expect, test } from 'vitest';

import { formatText } from '../../../test/telegram/entities.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import { receiptOf } from '../../../test/harness/receipt-of.ts';
import { ERROR_CODES, type Redemption } from '../../core/index.ts';
import { receiptKeyboard } from './show-receipt.ts';
import { renderForCustomer } from './customer-text.ts';
import { renderReceipt, renderRunning, type ReceiptPlace, type ReceiptView } from './receipt-text.ts';
import { createTexts, LANGUAGES } from '../texts.ts';

const texts = createTexts(TEST_GAMES);
const PRIVATE: ReceiptPlace = { texts, language: 'en', group: undefined, mayRedeem: true };
const GROUP: ReceiptPlace = { ...PRIVATE, group: { botUsername: 'shop_bot' } };

function view(changes: Partial<Redemption> = {}, facts: Partial<ReceiptView['facts']> = {}): ReceiptView {
  const redemption = receiptOf(changes);
  const actorLabel = { kind: 'member', telegramId: 5, name: 'Staff' } as const;
  const told = { actorLabel, charged: true, code: 'spent', isPaused: false, ...facts } as const;
  return {
    redemption,
    facts: told,
    game: TEST_GAMES.find(redemption.gameId),
    timeZone: 'UTC',
    isSandbox: false,
  };
}

const labels = (one: ReceiptView, place = PRIVATE) =>
  receiptKeyboard(one, place).inline_keyboard.map((row) => row.map((button) => button.text));

test('a secret too long for a message is offered as a file, and has no copy button', () => {
  const long = view({ gameId: 'game_id_3', credentials: { email: '12345', password: '<&'.repeat(2_000) } });
  expect(renderReceipt(long, PRIVATE)).toContain('take it as a file');
  expect(labels(long)[0]).toEqual(['Account ID', 'The whole receipt as a file']);
});

test.each([
  [256, ['Token']],
  [257, []],
  [2_800, []],
  [2_801, ['The whole receipt as a file']],
])('a token of %i characters', (length, buttons) => {
  const one = view({ gameId: 'game_id_3', credentials: { password: 'x'.repeat(length) } });
  expect(renderReceipt(one, PRIVATE).includes('x'.repeat(length))).toBe(length <= 2_800);
  expect(
    labels(one)
      .flat()
      .slice(0, buttons.length + 1),
  ).toEqual([...buttons, 'Code']);
});

const FOR_CUSTOMER = ['Code', 'For the customer'];
const NEITHER = { credentials: {} };

test.each<[what: string, changes: Partial<Redemption>, buttons: string[]]>([
  ['redeemed from the stock', NEITHER, [...FOR_CUSTOMER, 'Again for Player', 'Another amount', 'Proof']],
  ['redeemed from a code', { ...NEITHER, mode: 'direct' }, [...FOR_CUSTOMER, 'Again for Player', 'Proof']],
  [
    'of a player who was forgotten',
    { ...NEITHER, playerId: 'forgotten-abcdefghijklmnop' },
    [...FOR_CUSTOMER, 'Another amount', 'Proof'],
  ],
  [
    'with blanks for a login',
    { credentials: { email: ' ', password: '' }, mode: 'direct' },
    [...FOR_CUSTOMER, 'Again for Player', 'Proof'],
  ],
  ['under way', { ...NEITHER, state: 'pending' }, ['For the customer']],
  ['in doubt', { ...NEITHER, state: 'in_doubt' }, ['For the customer']],
])('the buttons of one %s', (_what, changes, buttons) => {
  expect(
    labels(view(changes))
      .flat()
      .map((label) => label.replace(/[\u2066-\u2069]/g, '')),
  ).toEqual(buttons);
});

describe.each(LANGUAGES)('in %s', (language) => {
  const states = ['redeemed', 'failed', 'pending', 'in_doubt'] as const;
  const codeEnds = ['none', 'held', 'spent', 'back', 'untouched', 'used', 'invalid', 'elsewhere'] as const;

  test('every state, reason and end of the code is worded', () => {
    for (const state of states)
      for (const errorCode of ERROR_CODES)
        for (const code of codeEnds.filter(
          (each) => state !== 'failed' || (each !== 'held' && each !== 'spent'),
        ))
          for (const mode of ['database', 'direct'] as const) {
            const html = renderReceipt(view({ state, errorCode, mode }, { code }), { ...PRIVATE, language });
            expect(html).not.toMatch(/\{|receipt-[a-z]/);
            expect(html.length).toBeLessThan(4_096);
          }
  });

  test('hostile names and secrets are text, and secrets stay behind spoilers', () => {
    for (const hostile of ['<b>x', '</tg-spoiler>x', '&lt;x', '\u202ex', 'x\n\nx', '"x', 'x'.repeat(2_000)]) {
      const one = view({
        playerName: hostile,
        playerId: hostile,
        code: hostile,
        credentials: { email: hostile, password: hostile },
      });
      const { entities } = formatText(renderReceipt(one, { ...PRIVATE, language }), 'HTML', undefined);
      expect(entities.filter((entity) => entity.type === 'spoiler').length).toBeGreaterThanOrEqual(3);
      expect(formatText(renderRunning(one, PRIVATE, 3), 'HTML', undefined).text).toMatch(/3 s$/);
    }
  });

  test('a group is shown nothing secret, whatever the state', () => {
    for (const state of states) {
      const one = view({ state, errorCode: 'LOGIN_FAILED' }, { code: 'back' });
      const shown = renderReceipt(one, { ...GROUP, language }) + JSON.stringify(receiptKeyboard(one, GROUP));
      expect(shown).not.toMatch(/login@|secret-password|60SAAAA|spoiler|copy_text|callback_data/);
    }
  });
});

test('whoever may not redeem has the copies and no way to redeem', () => {
  expect(labels(view(), { ...PRIVATE, mayRedeem: false })).toEqual([
    ['Login', 'Password', 'Both'],
    ['Code', 'For the customer'],
    ['Proof'],
  ]);
});

test('where the platform keeps no order list, an incomplete receipt says that, and a whole one says nothing', () => {
  for (const language of LANGUAGES) {
    const render = (warning: boolean, hasNoOrderList: boolean) =>
      renderReceipt({ ...view({ warning }), hasNoOrderList }, { ...PRIVATE, language });
    const said = (key: string) => texts.say(language, key, { id: String(view().redemption.id) });
    expect(render(true, true)).toContain(said('receipt-no-order-list'));
    expect(render(true, true)).not.toContain(said('receipt-warning'));
    expect(render(true, false)).toContain(said('receipt-warning'));
    expect(render(false, true)).not.toContain(said('receipt-no-order-list'));
  }
});

test('while the platform is the sandbox, every receipt says so, the one for the customer too', () => {
  for (const language of LANGUAGES) {
    const sandbox = texts.say(language, 'receipt-sandbox');
    for (const state of ['redeemed', 'failed', 'pending', 'in_doubt'] as const) {
      const one = view({ state });
      const render = (isSandbox: boolean) =>
        [PRIVATE, GROUP].map((place) => renderReceipt({ ...one, isSandbox }, { ...place, language }));
      const forCustomer = (isSandbox: boolean) =>
        renderForCustomer({ ...one, isSandbox }, { texts, language });
      for (const html of [...render(true), forCustomer(true)]) expect(html).toContain(sandbox);
      for (const html of [...render(false), forCustomer(false)]) expect(html).not.toContain(sandbox);
    }
  }
});

test('a receipt says all that is known, word by word', () => {
  const lines = (one: ReceiptView, place = PRIVATE) =>
    renderReceipt(one, place)
      .replace(/<[^>]*>|[\u2066-\u2069]/g, '')
      .split('\n');
  expect(lines(view())).toEqual([
    '✅ Redeemed · receipt 7',
    '',
    'Game: game_id_1',
    'Player: Player, ID 5170925570',
    'Amount: 60 UC',
    'Code: 60SAAAAAAAAAAAAAA',
    'When: 21 Nov 2026, 07:36 UTC',
    'By: Staff',
    '',
    'Login: login@example.test',
    'Password: secret-password',
    '',
    '/receipt_7',
  ]);
  expect(lines(view(), GROUP).filter((line) => /^(Code|Login|Password)/.test(line))).toEqual([]);
  const amountOf = (changes: Partial<Redemption>) => lines(view({ amount: null, ...changes }))[4];
  const direct = { denomination: null };
  expect(amountOf({})).toBe('Amount: not known for certain (a code of 60 UC)');
  expect(amountOf(direct)).toBe('Amount: not known for certain');
  expect(amountOf({ state: 'in_doubt' })).toBe('Asked for: 60 UC');
  expect(amountOf({ ...direct, state: 'in_doubt' })).toBe('Code: 60SAAAAAAAAAAAAAA');
});

test.each<[ReceiptView['facts']['actorLabel'], string]>([
  [{ kind: 'member', telegramId: 5, name: 'Staff' }, 'Staff'],
  [{ kind: 'member', telegramId: 5 }, 'a former member (5)'],
  [{ kind: 'apiKey', apiKeyId: 3, prefix: 'rk_abc' }, 'API key rk_abc…'],
  [{ kind: 'apiKey', apiKeyId: 3 }, 'API key 3…'],
  [{ kind: 'host' }, 'the service administrator'],
])('whoever did it is named: %j', (actorLabel, who) => {
  const html = renderReceipt(view({}, { actorLabel }), PRIVATE).replace(/[\u2066-\u2069]/g, '');
  expect(html).toContain(`\nBy: ${who}\n`);
});

// What is brought late is looked up when its turn has come: to whom it is no longer theirs to see, or where it is there
// no more, says so, and shows nothing of it.
import type { Api } from 'grammy';
import { describe, expect, test } from 'vitest';

import { TEST_GAMES } from '../../test/harness/core.ts';
import { fake } from '../../test/harness/fake.ts';
import { CoreError, type MemberActor } from '../core/index.ts';
import type { BotDeps } from './context.ts';
import type { Outgoing, Sending, View } from './outgoing.ts';
import { createCustomerView } from './receipts/customer-text.ts';
import { createExportView } from './receipts/export-result.ts';
import { createReceiptFileView } from './receipts/receipt-file.ts';
import { createRedemptionView } from './redemption/live-messages.ts';
import { createOrderView } from './redemption/order-messages.ts';
import { ADDED, DELETED, EXTRACTED, createStockViews, UNDONE } from './stock/result-views.ts';
import { createTexts } from './texts.ts';

const texts = createTexts(TEST_GAMES);
const ACTOR: MemberActor = { kind: 'member', accountId: 1, telegramId: 5, role: 'admin' };
const STRANGER =
  'You are not a member of an account yet. Ask its owner for an invitation, and open its link or paste the link here.';
const ROLE = 'Your role may not do this. Ask the owner of the account.';

/** The core as far as a view asks it. */
const withCore = (core: object, actor: MemberActor | undefined = ACTOR): Pick<BotDeps, 'core' | 'texts'> => ({
  texts,
  core: fake({ games: TEST_GAMES, ...core, members: { findActor: () => actor } }),
});
const NOTING = { noteSent: () => Promise.resolve(), noteUnsent: () => Promise.resolve() };
const gone: Pick<BotDeps, 'core' | 'texts'> = {
  texts,
  core: fake({ members: { findActor: () => undefined }, extractionHistory: NOTING }),
};
const stock = (deps: Pick<BotDeps, 'core' | 'texts'>, name: string): View =>
  createStockViews(deps, () => undefined)[name]!;
const show = (view: View, of: object) => Promise.resolve(view({ of, telegramId: 5, language: 'en' }));

test.each<[what: string, view: View, of: object, said: string]>([
  ...[ADDED, DELETED, UNDONE, EXTRACTED].map((name): [string, View, object, string] => [
    name,
    stock(gone, name),
    {},
    STRANGER,
  ]),
  ['an export', createExportView(gone), { days: 7, full: false, at: 0 }, STRANGER],
  ['a receipt', createCustomerView(gone), { id: 7 }, 'Receipt 7 is not there, or not yours to see.'],
  ['a secret', createReceiptFileView(gone), { id: 7 }, 'Receipt 7 is not there, or not yours to see.'],
  [
    'a redemption',
    createRedemptionView({ ...gone, store: {} as never }),
    { id: 7, state: 'redeemed' },
    'You are no longer a member of the account of redemption 7, so I cannot show you how it ended.',
  ],
  [
    'an order of several',
    createOrderView({ ...gone, store: {} as never }),
    { order: 'ord_1' },
    'You are no longer a member of the account of this order. Nothing more of it was redeemed.',
  ],
])('whoever left meanwhile hears it: %s', async (_, view, of, said) => {
  expect(await show(view, of)).toEqual({ html: said });
});

describe('what the core refuses by now', () => {
  const refusing = (error: Error) =>
    withCore({
      batches: {
        find: () => {
          throw error;
        },
      },
      exportRedemptions: () => {
        throw error;
      },
    });
  const forbidden = new CoreError('FORBIDDEN', 'no');

  test('is said', async () => {
    expect(await show(stock(refusing(forbidden), ADDED), { batchId: 1 })).toEqual({ html: ROLE });
    expect(await show(createExportView(refusing(forbidden)), { days: 7 })).toEqual({ html: ROLE });
  });

  test('and what is no refusal is thrown, so that it is tried again', async () => {
    const broken = new Error('disk');
    await expect(show(stock(refusing(broken), ADDED), { batchId: 1 })).rejects.toBe(broken);
    await expect(show(createExportView(refusing(broken)), { days: 7 })).rejects.toBe(broken);
  });
});

describe('codes that were taken back or out', () => {
  const stockKeys = [{ denomination: 60, codes: ['CODE1', 'CODE2'] }];
  const batch = { gameId: 'game_id_1', added: 5, undoneAt: undefined };
  const batches = (found: object | undefined, taken: unknown) =>
    withCore({
      batches: {
        find: () => found,
        findFate: () => Promise.resolve(undefined),
        findTakenBack: () => Promise.resolve(taken),
      },
    });
  const extraction = (found: unknown) =>
    withCore({ extractionHistory: { ...NOTING, findExtraction: () => Promise.resolve(found) } });
  const file = (codes: string[], gameId = 'game_id_1') => ({ gameId, denomination: 60, codes });

  test('of a batch that is undone nothing is said of having been added', async () => {
    const undone = { ...batch, undoneAt: 5 };
    expect(await show(stock(batches(undone, stockKeys), ADDED), { batchId: 3 })).toBeUndefined();
    expect(await show(stock(batches(undefined, stockKeys), ADDED), { batchId: 3 })).toBeUndefined();
  });

  test.each([
    [batch, [], '<b>Batch 3</b> is undone: 0 codes were taken back. 5 had left the stock before.'],
    [undefined, stockKeys, '<b>Batch 3</b> is undone: 2 codes were taken back.'],
    [batch, undefined, '<b>Batch 3</b> is undone.'],
  ])('where none were taken back there is no file: %o', async (found, taken, html) => {
    expect(await show(stock(batches(found, taken), UNDONE), { batchId: 3 })).toEqual({ html });
  });

  test.each([
    [undefined, 'This button is too old. Please begin again.'],
    [file([]), 'There are no codes of game_id_1, 60 UC, in stock. /stock shows what there is.'],
  ])('where none were taken out there is no file: %o', async (found, html) => {
    expect(await show(stock(extraction(found), EXTRACTED), { extractionId: 4, asked: 2 })).toEqual({ html });
  });

  test('the file with its words; bare where Telegram refuses those; and a sentence where it takes neither', async () => {
    const sending = (await show(stock(extraction(file(['CODE1', 'CODE2'])), EXTRACTED), {
      extractionId: 4,
      asked: 3,
    })) as Sending;
    const sent: unknown[][] = [];
    const api: Api = fake({
      sendDocument: (chatId: number, document: { filename: string }, options: object) =>
        Promise.resolve(sent.push([chatId, document.filename, options])),
    });
    const keyboard = [[{ text: 'Send again', callback_data: 'extract:again:4' }]];
    const { signal } = new AbortController();
    await sending.send(api, 5, signal);
    await sending.sendBare?.(api, 5, signal);
    expect(sent).toEqual([
      [
        5,
        'codes-4-60.txt',
        {
          caption: '<b>Extraction 4</b>: 2 codes of 60 UC (game_id_1)\nThere were fewer than 3 by then.',
          parse_mode: 'HTML',
          reply_markup: { inline_keyboard: keyboard },
        },
      ],
      [5, 'codes-4-60.txt', {}],
    ]);
    expect(sending.otherwise).toEqual({
      html: 'Telegram did not take the file. Press “Send again” in a moment.',
      keyboard: { inline_keyboard: keyboard },
    } satisfies Outgoing);
  });
});

// The numbers that the documents promise, written out: tests elsewhere count up to a constant of the program, and would
// follow it wherever it went.
import { expect, test } from 'vitest';

import { ANSWER_WITHIN_MS } from '../src/core/idempotency.ts';
import { INVITATION_MS } from '../src/core/accounts/invitations.ts';
import { MOST_WEBHOOKS } from '../src/core/accounts/webhooks.ts';
import { MOST_CODES } from '../src/core/order-texts/items.ts';
import { MOST_CANDIDATES, MOST_ORDERS } from '../src/core/order-texts/message.ts';
import {
  MAX_PACKS,
  PACK_ACTIVATIONS,
  PACK_PRICE_USD_CENTS,
  SUBSCRIPTION_DAYS,
} from '../src/core/quota/purchases.ts';
import { COST_QUARTERS } from '../src/core/quota/usage.ts';
import { MOST_EXPORT_DAYS } from '../src/core/receipts/receipt-list.ts';
import { MOST_DAYS } from '../src/core/receipts/range-statistics.ts';
import { SLACK_MS } from '../src/core/redemption/doubt-look.ts';
import { LOOK_UP_TIMEOUT_MS } from '../src/core/redemption/look-ups.ts';
import { BAD_REQUESTS_PER_MINUTE } from '../src/core/bad-request-limit.ts';
import { MAX_THRESHOLD } from '../src/core/stock/alerts.ts';
import { VERIFY_WITHIN_MS } from '../src/core/stock/extract-codes.ts';
import { MOST_EXTRACTED, SENT_AGAIN_WITHIN_MS } from '../src/core/stock/extraction-history.ts';
import { MAX_IMPORT_CODES } from '../src/core/stock/import-codes.ts';
import { KEPT_MS as JOBS_KEPT_MS } from '../src/core/stock/jobs.ts';
import { DELETED_WITHIN_MS } from '../src/core/stock/finish-import.ts';
import { UNDO_WITHIN_MS } from '../src/core/stock/undo-batch.ts';
import { DAILY_LIMIT, DAILY_LIMIT_QUARTERS, WINDOW_MS } from '../src/core/quota/usage.ts';
import { FAILURES_PER_MINUTE } from '../src/http/auth.ts';
import { BODY_LIMIT_BYTES, DEPTH_LIMIT, DRAIN_LIMIT_BYTES } from '../src/http/body.ts';
import { MAX_CODES } from '../src/wire/codes.ts';
import { MOST_FILE_BYTES } from '../src/bot/telegram/files.ts';
import { FULL_CHAT } from '../src/bot/inbox/chat-order.ts';
import { FULL_INBOX } from '../src/bot/inbox/inbox.ts';
import { OVERLOAD_PAUSE_MS } from '../src/bot/inbox/handle-update.ts';
import { MOST_STARS } from '../src/bot/billing/invoices.ts';
import { PAGE_SIZE } from '../src/bot/receipts/history-entries.ts';
import { IDLE_MS } from '../src/bot/prompts/ask.ts';
import { CONFIRMATION_MS } from '../src/bot/prompts/confirmations.ts';
import { LONGEST_MESSAGE } from '../src/bot/replies.ts';
import { HASH_BYTES, KEY_BYTES } from '../src/store/engine/secrets.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;

test.each<[promise: string, is: unknown, promised: unknown]>([
  ['activations in any rolling window', DAILY_LIMIT, 300],
  ['the same in quarters', DAILY_LIMIT_QUARTERS, 1200],
  ['the window', WINDOW_MS, 24 * HOUR],
  ['what actions cost', COST_QUARTERS, { redeem: 4, redemptionTime: 4, character: 1 }],
  ['the price of a pack', [PACK_PRICE_USD_CENTS, PACK_ACTIVATIONS, MAX_PACKS], [1000, 1000, 100]],
  ['a subscription', SUBSCRIPTION_DAYS, 30],
  ['POST /redeem answers within', ANSWER_WITHIN_MS, 55_000],
  ['a look-up answers within', LOOK_UP_TIMEOUT_MS, 20_000],
  ['skew that a doubt forgives', SLACK_MS, 5 * MINUTE],
  ['an invitation lives', INVITATION_MS, 24 * HOUR],
  ['an import can be undone for', UNDO_WITHIN_MS, HOUR],
  ['codes of one extraction', MOST_EXTRACTED, 10_000],
  ['an extraction asks the platform for', VERIFY_WITHIN_MS, 25_000],
  ['how a job ended is known for', JOBS_KEPT_MS, 48 * HOUR],
  ['an extraction is sent again for', SENT_AGAIN_WITHIN_MS, 24 * HOUR],
  ['Telegram deletes pasted messages for', DELETED_WITHIN_MS, 48 * HOUR],
  ['the last button of an order lives', CONFIRMATION_MS, 15 * MINUTE],
  ['a conversation that nobody goes on with ends after', IDLE_MS, 30 * MINUTE],
  ['what the service is too busy for is tried again after', OVERLOAD_PAUSE_MS, 2_000],
  ['updates that wait while more are fetched', FULL_INBOX, 10_000],
  ['updates of one chat that wait', FULL_CHAT, 100],
  ['lines of a page', PAGE_SIZE, 10],
  ['Stars of an invoice', MOST_STARS, 100_000],
  ['codes of one import', MAX_IMPORT_CODES, 100_000],
  ['codes of one order', MOST_CODES, 10],
  ['orders and players read in one message', [MOST_ORDERS, MOST_CANDIDATES], [10, 5]],
  ['codes of one request', MAX_CODES, 10_000],
  ['bytes of a file of codes', MOST_FILE_BYTES, 20 * 1_048_576],
  ['days of an export', MOST_EXPORT_DAYS, 366],
  ['days of statistics', MOST_DAYS, 90],
  ['a threshold', MAX_THRESHOLD, 100_000],
  ['addresses of an account', MOST_WEBHOOKS, 5],
  ['keys that fail, of an address and of one key', FAILURES_PER_MINUTE, { address: 30, key: 10 }],
  ['refusals of an account a minute', BAD_REQUESTS_PER_MINUTE, 120],
  ['a body', [BODY_LIMIT_BYTES, DEPTH_LIMIT], [1_048_576, 64]],
  ['what is read of one that is refused', DRAIN_LIMIT_BYTES, 16 * 1_048_576],
  ['a message of Telegram', LONGEST_MESSAGE, 4096],
  ['key and hash of a code', [KEY_BYTES, HASH_BYTES], [32, 16]],
])('%s', (_promise, is, promised) => {
  expect(is).toEqual(promised);
});

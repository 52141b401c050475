// /api_key: issue (named where somebody says what it is for, and shown once), list, revoke. The key goes out through
// the outbox: kept before it is sent, so that no crash and no outage of Telegram loses it, and the same order again is
// the same key.
import { InlineKeyboard } from 'grammy';

import {
  type ApiKeySummary,
  isDayLimit,
  type KeyLimits,
  MOST_PER_DAY,
  type OrderAnswer,
  parseIsoDay,
  rangeOfDays,
} from '../../core/index.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, type Feature, wholeNumber } from '../feature.ts';
import { formatDay, formatMoment, zoneOf } from '../moments.ts';
import { type Action, confirming } from '../outbox/actions.ts';
import { toOutgoing } from '../outgoing.ts';
import { ask, askInWords, readName } from '../prompts/ask.ts';
import { addPages, cutListPage } from '../prompts/paging-keyboard.ts';
import { answerTap, editHtml, reply, show } from '../replies.ts';
import { escapeHtml, name, shorten } from '../texts.ts';

const PAGE = 8;
const NAME_KEY = 'name-key';
const LONGEST_KEY_NAME = 40;
/** Of a name in a button, beside the word before it. */
const LONGEST_LABEL = 16;

interface Issue {
  accountId: number;
  name?: string;
}

/** What the button carries that keeps the webhooks of the key. */
const KEY_ALONE = 'alone';

/** Of a revocation: which key, and how it was shown. */
interface Revocation {
  id: number;
  prefix: string;
  accountId: number;
  /** Webhooks that are removed with it. */
  removed?: number[];
}

export function createApiKeyFeature(deps: BotDeps): Feature {
  const needs = 'manageApiKeys';
  const run = async (ctx: BotContext, text: string): Promise<unknown> => {
    const [what = '', which = '', ...more] = text.split(/\s+/);
    if (what.toLowerCase() === 'new')
      return askToIssue(deps, ctx, 'reply', readKeyName([which, ...more].join(' ')));
    if (what.toLowerCase() !== 'revoke') return showList(deps, ctx, 0, 'reply');
    const key = listLive(deps, ctx).find(({ prefix }) => prefix === which.slice(0, prefix.length));
    if (key) return askToRevoke(deps, ctx, key, 'reply');
    await reply(ctx, ctx.say('key-unknown'));
    return showList(deps, ctx, 0, 'reply');
  };
  const limits = createKeyLimits(deps);
  return {
    commands: { api_key: { needs, run } },
    buttons: {
      ...limits.buttons,
      'key:list': button(needs, [wholeNumber(4)], (ctx, page) => showList(deps, ctx, page, 'edit')),
      'key:new': button(needs, [], (ctx) => askToIssue(deps, ctx, 'edit')),
      'key:revoke': button(needs, [wholeNumber()], (ctx, id) => {
        const key = listLive(deps, ctx).find((each) => each.id === id);
        if (!key) return answerTap(ctx, ctx.label('key-gone'), true);
        return askToRevoke(deps, ctx, key, 'reply');
      }),
      ...issuing(deps).button,
      ...revoking(deps).button,
    },
    questions: {
      ...limits.questions,
      [NAME_KEY]: { needs, takesWords: true, hear: (ctx, id, text) => nameKey(deps, ctx, id, text) },
    },
  };
}

const issuing = (deps: BotDeps) =>
  confirming<Issue>(deps, 'key-issue', {
    needs: 'manageApiKeys',
    asks: (ctx, { name: called }) => ({
      html:
        called === undefined
          ? ctx.say('key-ask-issue')
          : ctx.say('key-ask-issue-named', { key: name(called) }),
      label: ctx.label('key-button-issue'),
    }),
    async does(ctx, { id, payload, ends, result }) {
      const actor = actorOf(ctx);
      const inTransaction = ends((issued: OrderAnswer) => formatIssued(ctx, issued, result));
      await deps.core.apiKeys.issueOrdered(actor, id, inTransaction, payload.name);
    },
  });

/** Without a name what is written next is one: the question that it goes on from is answered by its button, too. */
async function askToIssue(
  deps: BotDeps,
  ctx: BotContext,
  how: 'reply' | 'edit',
  called?: string,
): Promise<void> {
  const { accountId } = actorOf(ctx);
  const confirmationId = await issuing(deps).ask(ctx, { accountId, name: called }, how);
  if (called === undefined) await ask(ctx, NAME_KEY, confirmationId);
}

/** The name of a key as people write it; undefined for what is none. */
const readKeyName = (text: string): string | undefined => readName(text, LONGEST_KEY_NAME);

/** What a new key is for. Where it was answered by its button meanwhile the message is none of ours. */
async function nameKey(
  deps: BotDeps,
  ctx: BotContext,
  confirmationId: string,
  text: string,
): Promise<boolean> {
  const called = readKeyName(text);
  const takenBy = deps.store.confirmations.find(confirmationId)?.takenBy ?? null;
  if (called === undefined || takenBy !== null) return false;
  // The question without a name is over: no second key comes of it.
  ctx.turn.uses(confirmationId);
  await askToIssue(deps, ctx, 'reply', called);
  return true;
}

function askToRevoke(
  deps: BotDeps,
  ctx: BotContext,
  { id, prefix }: ApiKeySummary,
  how: 'reply' | 'edit',
): Promise<unknown> {
  const { accountId } = actorOf(ctx);
  const removed = deps.core.apiKeys.listAddresses(actorOf(ctx), id).map((address) => address.id);
  return revoking(deps).ask(ctx, { id, prefix, accountId, removed }, how);
}

const revoking = (deps: BotDeps) =>
  confirming<Revocation>(deps, 'key-revoke', {
    needs: 'manageApiKeys',
    asks: (ctx, payload) => formatRevocation(deps, ctx, payload),
    does: (ctx, action) => revoke(deps, ctx, action),
  });

/** Where webhooks go with it they are named, and a button keeps them. */
function formatRevocation(deps: BotDeps, ctx: BotContext, { id }: Revocation) {
  const key = listLive(deps, ctx).find((each) => each.id === id);
  const question = key ? ctx.say('key-ask-revoke', describeKey(deps, ctx, key)) : ctx.say('key-unknown');
  const addresses = deps.core.apiKeys.listAddresses(actorOf(ctx), id);
  const style = 'danger' as const;
  if (addresses.length === 0) return { html: question, label: ctx.label('key-button-revoke-now'), style };
  const hosts = addresses.map(({ host }) => `<code>${escapeHtml(host)}</code>`);
  return {
    html: [question, ctx.say('key-addresses'), ...hosts].join('\n'),
    label: ctx.label('key-button-revoke-all', { count: addresses.length }),
    style,
    choices: [{ label: ctx.label('key-button-revoke-only'), choice: KEY_ALONE, style }],
  };
}

/** The key itself, once; and the message that ends it should it be lost. */
function formatIssued(
  ctx: BotContext,
  issued: OrderAnswer,
  result: Action<unknown>['result'],
): OutgoingRow[] {
  const { id, prefix } = issued;
  if (issued.status === 'alreadyRevoked') return [result(formatRevoked(ctx, prefix))];
  const { key } = issued;
  const copy = [[{ text: ctx.label('key-button-copy'), copy_text: { text: key } }]];
  const shown = { html: ctx.say('key-shown', { key }), keyboard: { inline_keyboard: copy } };
  const label = ctx.label('key-button-revoke', { key: `${prefix}…` });
  const revoking = new InlineKeyboard().text(label, `key:revoke:${id}`);
  return [result(shown, { apart: 'key' }), result(toOutgoing(ctx.say('key-issued', { prefix }), revoking))];
}

async function revoke(
  deps: BotDeps,
  ctx: BotContext,
  { payload, choice, ends, result }: Action<Revocation>,
): Promise<void> {
  const { id, prefix } = payload;
  const removed = choice === KEY_ALONE ? [] : payload.removed;
  const inTransaction = ends(() => [result(formatRevoked(ctx, prefix))]);
  const { status } = await deps.core.apiKeys.revoke(actorOf(ctx), id, inTransaction, removed);
  if (status === 'unknownKey') await editHtml(ctx, ctx.say('key-unknown'));
}

const formatRevoked = (ctx: BotContext, prefix: string) =>
  toOutgoing(
    ctx.say('key-revoked', { prefix }),
    new InlineKeyboard().text(ctx.label('key-button-list'), 'key:list:0'),
  );

/** What tells a key from the others: what it is for, its beginning, when it was made and used. */
function describeKey(deps: BotDeps, ctx: BotContext, key: ApiKeySummary) {
  const zone = zoneOf(deps, ctx.actor);
  return {
    key: callKey(key),
    created: formatDay(ctx.language, key.createdAt, zone),
    used: key.lastUsedAt === undefined ? '' : formatMoment(ctx.language, key.lastUsedAt, zone),
    isUsed: key.lastUsedAt === undefined ? 'no' : 'yes',
  };
}

function listLive({ core }: BotDeps, ctx: BotContext): ApiKeySummary[] {
  return core.apiKeys.list(actorOf(ctx)).filter(({ revoked }) => !revoked);
}

async function showList(deps: BotDeps, ctx: BotContext, page: number, how: 'reply' | 'edit'): Promise<void> {
  const live = listLive(deps, ctx);
  const dataOf = (other: number) => `key:list:${other}`;
  const { shown, beside } = cutListPage(live, { page, size: PAGE, dataOf });
  const lines = shown.map((key) => ctx.say('key-line', describeKey(deps, ctx, key)));
  const keyboard = new InlineKeyboard().text(ctx.label('key-button-new'), 'key:new').row();
  for (const { id, prefix, name: called } of shown) {
    const key = called === undefined ? `${prefix}…` : shorten(called, LONGEST_LABEL);
    keyboard
      .text(ctx.label('key-button-limits', { key }), `key:limits:${id}`)
      .row()
      .text(ctx.label('key-button-revoke', { key }), `key:revoke:${id}`)
      .row();
  }
  addPages(keyboard, ctx, beside);
  const title = ctx.say(live.length === 0 ? 'key-none' : 'key-title', { count: live.length });
  await show(ctx, [title, ...lines].join('\n'), keyboard, how);
}

// Limits of an API key, from its button in /api_key: activations a day, addresses, a last day, all in one message.

const LIMITS = 'key-limits';
const NOTHING = /^(?:none|off|нет|выкл)$/iu;
const MOST_WORDS = 30;

type Deps = Pick<BotDeps, 'core'>;

function createKeyLimits(deps: Deps): Required<Pick<Feature, 'buttons' | 'questions'>> {
  const needs = 'manageApiKeys';
  const { apiKeys } = deps.core;
  const find = (ctx: BotContext, id: number) =>
    apiKeys.list(actorOf(ctx)).find((key) => key.id === id && !key.revoked);
  return {
    buttons: {
      'key:limits': button(needs, [wholeNumber()], async (ctx, id) => {
        const key = find(ctx, id);
        if (!key) return answerTap(ctx, ctx.label('key-gone'), true);
        const html = [describeAll(deps, ctx, key, 'key-limits-of'), '', ctx.say('key-limits-ask')].join('\n');
        await askInWords(ctx, html, LIMITS, String(id));
      }),
    },
    questions: {
      [LIMITS]: {
        needs,
        takesWords: true,
        async hear(ctx, id, text) {
          const read = readLimits(text, zoneOf(deps, ctx.actor));
          if (read === undefined) return false;
          if ('wrong' in read) return ctx.say('key-limits-wrong', { word: read.wrong });
          const { dayLimit = null, addresses = null, expiresAt = null } = read;
          await apiKeys.limit(actorOf(ctx), Number(id), { dayLimit, addresses, expiresAt });
          const key = find(ctx, Number(id));
          await reply(ctx, key ? describeAll(deps, ctx, key, 'key-limited') : ctx.say('key-unknown'));
          return true;
        },
      },
    },
  };
}

/** `Till, crs_…`. */
const callKey = ({ name: called, prefix }: Pick<ApiKeySummary, 'name' | 'prefix'>): string =>
  called === undefined ? `${prefix}…` : `${name(called)}, ${prefix}…`;

/** What it has, a line each, below these words of it. */
function describeAll(deps: Deps, ctx: BotContext, of: ApiKeySummary, key: string): string {
  const { dayLimit, addresses = [], expiresAt } = of.limits;
  const until =
    expiresAt === undefined ? '' : formatDay(ctx.language, expiresAt - 1, zoneOf(deps, ctx.actor));
  const lines = [
    dayLimit !== undefined && ctx.say('key-limits-day', { count: String(dayLimit) }),
    ...addresses.map((address) => ctx.say('key-limits-from', { address })),
    until !== '' && ctx.say('key-limits-until', { day: until }),
  ].filter((line) => line !== false);
  return [
    ctx.say(key, { key: callKey(of) }),
    ...(lines.length > 0 ? lines : [ctx.say('key-limits-none')]),
  ].join('\n');
}

/** All that a message says; what it leaves out limits nothing. Undefined where it says something else. */
function readLimits(text: string, timeZone: string): KeyLimits | { wrong: string } | undefined {
  const words = text.split(/[\s;]+|,(?!\d)/u).filter((word) => word !== '');
  if (words.length === 0 || words.length > MOST_WORDS) return undefined;
  if (words.length === 1 && NOTHING.test(words[0]!)) return {};
  const limits: { dayLimit?: number; addresses?: string[]; expiresAt?: number } = {};
  for (const word of words) {
    const day = readLastDay(word);
    if (day) limits.expiresAt = rangeOfDays({ to: day }, timeZone).until;
    else if (/^\d+(?:[.,]\d+)?$/.test(word)) {
      const number = Number(word.replace(',', '.'));
      // A player, or an order for one.
      if (number > MOST_PER_DAY || limits.dayLimit !== undefined) return undefined;
      if (!isDayLimit(number)) return { wrong: word };
      limits.dayLimit = number;
    } else if (/^[\da-f.:/]+$/i.test(word) && /[.:]/.test(word)) (limits.addresses ??= []).push(word);
    else return word === words[0] ? undefined : { wrong: word };
  }
  return limits;
}

/** `2026-12-31`, `31.12.2026`. */
const readLastDay = (word: string) =>
  parseIsoDay(
    word.replace(/^(\d{1,2})\.(\d{1,2})\.(20\d\d)$/, (_, day: string, month: string, year: string) =>
      [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
    ),
  );

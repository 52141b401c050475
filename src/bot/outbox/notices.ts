// Notices of the core become messages: in the queues of whom they are for, in their language, unless they do not want
// that kind; written with the end of the task that they are of.
import { InlineKeyboard } from 'grammy';

import {
  formatAmount,
  type ClaimRecord,
  type Games,
  type Notice,
  type TaskEnd,
  type TaskHandler,
  type WaitingNotice,
  MEMBER_NOTICES,
} from '../../core/index.ts';

import { backOff } from '../../waiting.ts';
import type { BotDeps } from '../context.ts';
import { describeError, findPassingCause, keyOfStop } from '../errors.ts';
import type { Feature } from '../feature.ts';
import type { OutgoingRow, Task } from '../../store/bot-store.ts';
import { formatMoment } from '../moments.ts';
import { formatAlert } from './alert-words.ts';
import { toOutgoing, toOutgoingRow } from '../outgoing.ts';
import { noticeKey } from './chat-queue.ts';
import { findLanguageOf, isMuted } from '../actor.ts';
import { buttonId } from '../prompts/choices.ts';
import { name, toKeyPart, type Language, type Texts, type Variables } from '../texts.ts';

type Deps = Pick<BotDeps, 'core' | 'store' | 'texts' | 'settings' | 'clock'>;

const AT_ONCE = 50;
/** What is older is no news: the bot was not running, or was not there at all. */
const NEWS_MS = 3 * 24 * 60 * 60 * 1000;
/** So often a mistake of ours may be made before its notice is dropped: all others wait behind it. */
const MOST_MISTAKES = 4;

export function createNoticeDelivery(deps: Deps): Feature {
  const announcing: TaskHandler = {
    atOnce: 1,
    // Together, so that those of one kind become one message; what has failed goes alone.
    run(task, { listLike }) {
      try {
        return announce(deps, task.attempts > 0 ? [task] : listLike(AT_ONCE));
      } catch (error) {
        if (task.attempts < MOST_MISTAKES || findPassingCause(error) !== undefined) throw error;
        return { state: 'dead', error: JSON.stringify(describeError(error)) };
      }
    },
    retryMs: backOff(1_000, 60_000),
  };
  return { tasks: { announce: announcing } };
}

/** Turns notices that wait into messages: the one whose turn it is, and what follows it. */
function announce(deps: Deps, [first, ...others]: readonly Task[]): TaskEnd {
  const { core, store, clock } = deps;
  if (first?.payload === undefined)
    return { state: 'dead', error: 'It does not open any more, and nobody is told of it: run the check.' };
  const also = others.filter(({ payload }) => payload !== undefined);
  const isNews = ({ at }: WaitingNotice) => at > clock.now() - NEWS_MS;
  const messages = core.notices
    .read([first, ...also])
    .filter(isNews)
    .flatMap((each) => makeMessages(deps, each));
  return { state: 'done', also: also.map(({ id }) => id), write: store.inTransaction(() => ({ messages })) };
}

function makeMessages(deps: Deps, { id, notice, recipients }: WaitingNotice): OutgoingRow[] {
  const { texts, core, settings } = deps;
  const people =
    notice.accountId === null && recipients.length === 0
      ? settings.hostIds.map((telegramId) => ({ telegramId, isOwn: false }))
      : recipients.filter(({ telegramId }) => isWanted(deps, telegramId, notice));
  const timeZone = notice.accountId === null ? 'UTC' : core.accounts.timeZoneOf(notice.accountId);
  return people.map(({ telegramId, isOwn }) => {
    const place = { texts, games: core.games, language: findLanguageOf(deps, telegramId), timeZone };
    const words = toOutgoing(formatNotice(place, notice, isOwn), keyboardOf(place, notice));
    const row = toOutgoingRow(noticeKey(notice.kind, id, telegramId), telegramId, words);
    return { ...row, kind: 'notice' };
  });
}

function isWanted({ core, store }: Deps, telegramId: number, notice: Notice): boolean {
  const { kind } = notice;
  // Whoever ordered it in the chat gets the receipt, or the end of the order (../redemption/order-messages.ts).
  const isOfChat = kind === 'doubtSettled' || kind === 'orderStopped';
  if (isOfChat && store.outbox.isShown(core.presses.listHolds(notice), telegramId)) return false;
  if (!MEMBER_NOTICES.some((one) => one === kind)) return true;
  return !isMuted({ store }, telegramId, kind);
}

/** Where a notice is read. */
interface Place {
  texts: Texts;
  games: Games;
  language: Language;
  timeZone: string;
}

function formatNotice(place: Place, notice: Notice, isOwn: boolean): string {
  const { texts, language } = place;
  if (notice.kind === 'hostAlert') return formatAlert(texts, language, notice.alert, notice.endedAt);
  const facts = factsOf(place, notice);
  return [
    ...keysOf(notice, isOwn).map((key) => texts.say(language, `notice-${key}`, facts)),
    ...receiptsOf(notice).map((id) => `/receipt_${id}`),
  ].join('\n');
}

/** The keys of its sentences; of most it is the kind. */
function keysOf(notice: Notice, isOwn: boolean): string[] {
  switch (notice.kind) {
    case 'stockLow':
      return [notice.left === undefined ? 'stock-low' : 'stock-none'];
    case 'doubtSettled':
      return ['doubt', `doubt-${toKeyPart(notice.outcome)}`];
    case 'quotaUsed':
      return [`quota-${notice.percent}`];
    case 'subscriptionEnds':
      return [notice.daysLeft === 0 ? 'subscription-ended' : 'subscription-ends'];
    case 'jobSetAside':
      return [`job-${notice.work}`];
    case 'timeLost':
      return ['time-lost', ...(notice.inQuestion > 0 ? ['perhaps-handed-out'] : [])];
    case 'upstreamCase':
      return [`upstream-case-${toKeyPart(notice.why)}`];
    case 'loginCame':
      return [isOwn ? 'login-came-own' : 'login-came'];
    default:
      return [toKeyPart(notice.kind)];
  }
}

/** What is opened below it. */
function receiptsOf(notice: Notice): number[] {
  if (notice.kind === 'recoveredTwice') return notice.redemptionIds;
  const isOfReceipt = notice.kind === 'doubtSettled' || notice.kind === 'loginCame';
  return isOfReceipt ? [notice.redemptionId] : [];
}

const COUNTS: ReadonlySet<string> = new Set(['count', 'daysLeft', 'done', 'total', 'inQuestion']);

/** Its own fields by their names: moments in the account's zone, counts, and anything else as it is written. */
function factsOf({ texts, games, language, timeZone }: Place, notice: Notice): Variables {
  const toFact = (key: string, value: string | number) => {
    if (typeof value === 'string' || COUNTS.has(key)) return value;
    return key.endsWith('At') ? formatMoment(language, value, timeZone) : String(value);
  };
  const facts: Variables = {};
  for (const [key, value] of Object.entries(notice) as [string, unknown][])
    if (typeof value === 'string' || typeof value === 'number') facts[key] = toFact(key, value);
    else if (Array.isArray(value)) facts['count'] = value.length;
  const label = (key: string) => texts.label(language, key);
  if ('gameId' in notice) {
    const stockKey = formatAmount(notice.denomination, games.find(notice.gameId));
    return { ...facts, game: notice.gameId, stockKey };
  }
  if (notice.kind === 'ownerReplaced') return { ...facts, owner: name(notice.owner) };
  if (notice.kind === 'jobSetAside' && notice.reason)
    return { ...facts, problem: label(`notice-job-because-${toKeyPart(notice.reason)}`) };
  if (notice.kind === 'claimStuck') return describeStuckClaim({ texts, games, language }, notice.claim);
  if (notice.kind !== 'orderStopped') return facts;
  const { playerId: player, redeemed, wanted, reason = 'DOUBT' } = notice.order;
  return { player, done: redeemed.codes, all: wanted.codes, because: label(keyOfStop(reason)) };
}

/** What a claim link is for, and why it does not go on by itself. */
export function describeStuckClaim(
  { texts, games, language }: Omit<Place, 'timeZone'>,
  { gameId, amount, reference = 'none', trouble = 'stopped' }: ClaimRecord,
) {
  const stockKey = formatAmount(amount, games.find(gameId));
  return {
    ...{ stockKey, reference },
    because: texts.label(language, `notice-claim-because-${toKeyPart(trouble)}`),
  };
}

/** What the buttons under a link that is stuck begin with (../claims/stuck.ts). */
export const OPEN_CLAIM = 'links:open';
export const SET_PLAYER = 'links:player';

export const stuckClaimKeyboard = (
  label: (key: string) => string,
  { id, trouble }: ClaimRecord,
): InlineKeyboard =>
  new InlineKeyboard()
    .text(label(trouble === 'lookUps' ? 'links-button-more' : 'links-button-open'), `${OPEN_CLAIM}:${id}`)
    .text(label('links-button-player'), `${SET_PLAYER}:${id}`);

/** What can be done about it. */
function keyboardOf({ texts, language }: Place, notice: Notice): InlineKeyboard | undefined {
  const label = (key: string) => texts.label(language, key);
  const button = (key: string, data: string) => new InlineKeyboard().text(label(key), data);
  switch (notice.kind) {
    case 'codeTakenBack':
      return button('button-send-again', `undo-again:${notice.batchId}`);
    case 'extractionUnsent':
      return button('button-send-again', `extract:again:${notice.extractionId}`);
    case 'consoleOpened':
      return button('console-button-end', `console:end:${notice.sessionId}`);
    case 'ownerToBeReplaced':
      return button('members-button-stay', 'members:stay');
    case 'claimStuck':
      return stuckClaimKeyboard(label, notice.claim);
    case 'stockPaused':
      return button('button-go-on', `bad:go:${notice.denomination}:${buttonId(notice.gameId)}`);
    default:
      return undefined;
  }
}

// Notices of the core become messages: in the queues of whom they are for, in their language, unless they do not want
// that kind; written with the end of the task that they are of.
import { InlineKeyboard } from 'grammy';

import {
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
import { noticeKey } from './gather-notices.ts';
import { findLanguageOf, isMuted } from '../actor.ts';
import { buttonId } from '../prompts/choices.ts';
import { toKeyPart, type Language, type Texts } from '../texts.ts';

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
  // Whoever ordered it in the chat gets the receipt, or the end of the order (../redemption/live-messages.ts).
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

function formatNotice({ texts, games, language, timeZone }: Place, notice: Notice, isOwn: boolean): string {
  const say = (key: string, variables?: Record<string, string | number>) =>
    texts.say(language, key, variables);
  const label = (key: string) => texts.label(language, key);
  switch (notice.kind) {
    case 'stockLow': {
      const { gameId, denomination, threshold, left } = notice;
      return say(left === undefined ? 'notice-stock-low' : 'notice-stock-none', {
        what: labelStockKey(games, notice),
        game: gameId,
        denomination: String(denomination),
        threshold: String(threshold),
      });
    }
    case 'doubtSettled': {
      const settled = say(`notice-doubt-${DOUBT_KEYS[notice.outcome]}`);
      const id = String(notice.redemptionId);
      return say('notice-doubt', { id }) + `\n${settled}\n/receipt_${id}`;
    }
    case 'quotaUsed':
      return say(notice.percent === 100 ? 'notice-quota-100' : 'notice-quota-80');
    case 'subscriptionEnds': {
      const when = formatMoment(language, notice.endsAt, timeZone);
      if (notice.daysLeft === 0) return say('notice-subscription-ended', { when });
      return say('notice-subscription-ends', { when, days: notice.daysLeft });
    }
    case 'jobSetAside': {
      const { work, subjectId, done, total, reason } = notice;
      const problem = reason ? label(`notice-job-because-${toKeyPart(reason)}`) : notice.problem;
      return say(`notice-job-${work}`, { subject: String(subjectId), done, total, problem });
    }
    case 'stockPaused':
    case 'codeTakenBack':
    case 'extractionUnsent':
    case 'recovered':
    case 'recoveredTwice':
      return formatCodes(games, notice, say);
    case 'orderStopped':
      return formatStopped(notice, say, label);
    case 'webhookOff':
    case 'webhookAdded':
    case 'addressRefused':
    case 'consoleOpened':
      return formatAccess(notice, say);
    case 'hostAlert':
      return formatAlert(texts, language, notice.alert, notice.endedAt);
    case 'timeLost': {
      const moment = (at: number) => formatMoment(language, at, timeZone);
      const { knownAt, restoredAt, inQuestion } = notice;
      const lost = say('notice-time-lost', { since: moment(knownAt), until: moment(restoredAt) });
      return inQuestion > 0 ? `${lost}\n${say('notice-perhaps-handed-out', { count: inQuestion })}` : lost;
    }
    case 'upstreamCase':
    case 'loginAwaited':
    case 'loginCame':
    case 'doubtHeld':
      return formatRedemption(notice, say, isOwn);
    case 'codesUnreadable': {
      const { ofAccount, codeIds } = notice;
      return say('notice-codes-unreadable', { account: String(ofAccount), count: codeIds.length });
    }
  }
}

/** What is told of who gets in, or is told of what happens. */
function formatAccess(
  notice: Extract<Notice, { kind: 'webhookOff' | 'webhookAdded' | 'addressRefused' | 'consoleOpened' }>,
  say: (key: string, variables: Record<string, string>) => string,
): string {
  if (notice.kind === 'consoleOpened') return say('notice-console-opened', { browser: notice.browser });
  const key = notice.kind === 'webhookOff' ? '' : notice.key;
  const host = notice.kind === 'addressRefused' ? notice.address : notice.host;
  return say(`notice-${toKeyPart(notice.kind)}`, { key, host });
}

/** What is told of an order that stopped before its end. */
function formatStopped(
  { order }: Extract<Notice, { kind: 'orderStopped' }>,
  say: (key: string, variables: Record<string, string | number>) => string,
  label: (key: string) => string,
): string {
  const { playerId, redeemed, wanted, reason = 'DOUBT' } = order;
  const because = label(keyOfStop(reason));
  return say('notice-order-stopped', { player: playerId, done: redeemed.codes, all: wanted.codes, because });
}

/** What is told of one redemption: to hosts by its account, to people by its receipt. */
function formatRedemption(
  notice: Extract<Notice, { kind: 'loginAwaited' | 'loginCame' | 'doubtHeld' | 'upstreamCase' }>,
  say: (key: string, variables: Record<string, string>) => string,
  isOwn: boolean,
): string {
  const id = String(notice.redemptionId);
  if (notice.kind === 'loginCame')
    return say(isOwn ? 'notice-login-came-own' : 'notice-login-came', { id }) + `\n/receipt_${id}`;
  const account = String(notice.ofAccount);
  if (notice.kind === 'upstreamCase')
    return say(`notice-upstream-case-${toKeyPart(notice.why)}`, { id, account, upstream: notice.upstream });
  const key = notice.kind === 'doubtHeld' ? 'notice-doubt-held' : 'notice-login-awaited';
  return say(key, { id, account });
}

/** What is told of codes of one denomination. */
type CodesNotice = 'stockPaused' | 'codeTakenBack' | 'extractionUnsent' | 'recovered' | 'recoveredTwice';

function formatCodes(
  games: Games,
  notice: Extract<Notice, { kind: CodesNotice }>,
  say: (key: string, variables?: Record<string, string | number>) => string,
): string {
  if (notice.kind === 'recoveredTwice')
    return say('notice-recovered-twice') + notice.redemptionIds.map((id) => `\n/receipt_${id}`).join('');
  const facts = { stockKey: labelStockKey(games, notice), game: notice.gameId };
  switch (notice.kind) {
    case 'stockPaused':
      return say('notice-stock-paused', facts);
    case 'codeTakenBack':
      return say('notice-code-taken-back', { batch: String(notice.batchId), stockKey: facts.stockKey });
    case 'extractionUnsent':
      return say('notice-extraction-unsent', {
        ...facts,
        batch: String(notice.extractionId),
        count: notice.count,
      });
    case 'recovered':
      return say('notice-recovered', { stockKey: facts.stockKey, count: notice.count });
  }
}

/** `60 UC`. */
const labelStockKey = (games: Games, { gameId, denomination }: { gameId: string; denomination: number }) =>
  `${denomination} ${games.find(gameId)?.currency ?? ''}`.trim();

/** What can be done about it. */
function keyboardOf({ texts, language }: Place, notice: Notice): InlineKeyboard | undefined {
  const button = (key: string, data: string) => new InlineKeyboard().text(texts.label(language, key), data);
  switch (notice.kind) {
    case 'codeTakenBack':
      return button('button-send-again', `undo-again:${notice.batchId}`);
    case 'extractionUnsent':
      return button('button-send-again', `extract:again:${notice.extractionId}`);
    case 'consoleOpened':
      return button('console-button-end', `console:end:${notice.sessionId}`);
    case 'stockPaused':
      return button('button-go-on', `bad:go:${notice.denomination}:${buttonId(notice.gameId)}`);
    default:
      return undefined;
  }
}

const DOUBT_KEYS = { redeemed: 'redeemed', returned: 'returned', spentElsewhere: 'spent' } as const;

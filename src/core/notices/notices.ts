// What people are told without being asked: a task, written in the transaction of the fact. A surface has the handler
// that announces it.
import type { JobKind, StockKey, StockLevel, Store, Tables, Task } from '../../store/index.ts';
import { nameActor, grantOf, type Permission } from '../context.ts';
import { toActor } from '../members.ts';
import type { ClaimRecord } from '../claim-record.ts';
import type { OrderRecord } from '../order-record.ts';
import type { ErrorCode } from '../../store/index.ts';
import type { HostAlert } from '../alerts/host-conditions.ts';
import { countFree, freeOf, promiseStock } from '../promises.ts';
import { enqueue } from './pending-webhooks.ts';

/** The closed list of notices. Without an account it is for the host. */
export type Notice =
  | {
      kind: 'stockLow';
      accountId: number;
      gameId: string;
      denomination: number;
      threshold: number;
      /** `none`: none is left; `noneEither`: and that few are was told before. */
      left?: 'none' | 'noneEither';
    }
  /** The platform refused its codes one after another: none is taken until somebody lets it go on. */
  | { kind: 'stockPaused'; accountId: number; gameId: string; denomination: number }
  | {
      kind: 'doubtSettled';
      accountId: number;
      redemptionId: number;
      /** Who redeemed: they are told, too. */
      actor: string;
      outcome: 'redeemed' | 'returned' | 'spentElsewhere';
      errorCode?: ErrorCode;
    }
  | { kind: 'quotaUsed'; accountId: number; percent: 80 | 100 }
  | {
      kind: 'subscriptionEnds';
      accountId: number;
      endsAt: number;
      /** 0: it has ended. */
      daysLeft: number;
    }
  | {
      /** Bulk work that cannot go on; nobody else is held up, and what it did so far stands. */
      kind: 'jobSetAside';
      accountId: number;
      /** Who ordered it. */
      actor: string;
      work: JobKind;
      /** Of `work`: the batch, or the extraction. */
      subjectId: number;
      done: number;
      total: number;
      /** Why, where it is one of these. */
      reason?: SetAsideReason;
      /** The same for a person, in English. */
      problem: string;
    }
  | {
      /** A code came back that was being redeemed when its batch was taken back: it is in the file of the batch. */
      kind: 'codeTakenBack';
      accountId: number;
      /** Who took the batch back. */
      actor: string;
      batchId: number;
      gameId: string;
      denomination: number;
    }
  /** Ordered in a chat, and its file reached nobody: its orderer has closed the chat, or may have it no more. */
  | {
      kind: 'extractionUnsent';
      accountId: number;
      extractionId: number;
      gameId: string;
      denomination: number;
      count: number;
    }
  /** What was carried out in a time that a restore has lost, found by the codes of one denomination. */
  | { kind: 'recovered'; accountId: number; gameId: string; denomination: number; count: number }
  /** One of those, and another of the same player and denomination since: perhaps a second code for one order. */
  | { kind: 'recoveredTwice'; accountId: number; redemptionIds: number[] }
  /** An order of a program or a person stopped before its end. */
  | { kind: 'orderStopped'; accountId: number; /** Whose it is. */ actor: string; order: OrderRecord }
  /** A claim link does not go on by itself: whoever has it waits. */
  | { kind: 'claimStuck'; accountId: number; claim: ClaimRecord }
  /** An address answered nothing for three days: it is told of nothing any more. */
  | { kind: 'webhookOff'; accountId: number; host: string }
  /** A host has invited another owner, whose link works from `opensAt` on: whoever owns it may say that they are there. */
  | { kind: 'ownerToBeReplaced'; accountId: number; opensAt: number }
  /** They alone are told: they are an admin now. `owner`: the name of who came in their place. */
  | { kind: 'ownerReplaced'; accountId: number; telegramId: number; owner: string }
  /** The owner was there, and what would have replaced them is over. */
  | { kind: 'ownerStayed'; accountId: null; ofAccount: number }
  /** A program registered an address. `key`: the beginning of its API key. */
  | { kind: 'webhookAdded'; accountId: number; host: string; key: string }
  /** A key was used from an address that is none of its own. `key`: its beginning. */
  | { kind: 'addressRefused'; accountId: number; key: string; address: string }
  /** Somebody has entered the console: they alone are told. Without an account where they are a host. */
  | {
      kind: 'consoleOpened';
      accountId: number | null;
      telegramId: number;
      browser: string;
      sessionId: number;
    }
  /** A trouble that has begun; or is over, since `endedAt`. */
  | { kind: 'hostAlert'; accountId: null; alert: HostAlert; endedAt: number | null }
  /**
   * A restore was made at `restoredAt`: nobody knows what was done in the account since `knownAt`. `inQuestion`: so many
   * of its codes may have been handed out since.
   */
  | { kind: 'timeLost'; accountId: number; knownAt: number; restoredAt: number; inQuestion: number }
  /**
   * A doubt that no answer of the platform ends: it says that the code was redeemed for the player, and perhaps not by
   * us.
   */
  | { kind: 'doubtHeld'; accountId: null; ofAccount: number; redemptionId: number }
  /** What an upstream has to answer for (core/upstreams/cases.ts). */
  | {
      kind: 'upstreamCase';
      accountId: null;
      ofAccount: number;
      redemptionId: number;
      upstream: string;
      /**
       * `usedAfter`: its code was used by somebody else once the upstream had it; `wasSpent`: a code was spent that it had
       * not spent, it was said.
       */
      why: 'usedAfter' | 'wasSpent';
    }
  /** It was redeemed, and the platform has not shown its login for a day: it is asked for a month more. */
  | { kind: 'loginAwaited'; accountId: null; ofAccount: number; redemptionId: number }
  /** The login of a receipt came after all; whoever redeemed is told, too. */
  | { kind: 'loginCame'; accountId: number; actor: string; redemptionId: number }
  /** Codes that do not open any more: put aside as invalid. */
  | { kind: 'codesUnreadable'; accountId: null; ofAccount: number; codeIds: number[] };

/**
 * Why a job cannot go on: an upgrade interrupted it; what it is about is gone; its game or denomination has no code
 * database any more; what was kept for it cannot be read.
 */
export type SetAsideReason = 'interrupted' | 'gone' | 'notManaged' | 'unreadable';

/** The kinds that members may choose not to get. */
export const MEMBER_NOTICES = [
  'stockLow',
  'doubtSettled',
  'quotaUsed',
  'subscriptionEnds',
] as const satisfies readonly Notice['kind'][];

/** A notice nobody was told yet, and whom it is for. */
export interface WaitingNotice {
  id: number;
  at: number;
  notice: Notice;
  /** Telegram ids; none for a notice to every host. `isOwn`: it is about what this person did. */
  recipients: { telegramId: number; isOwn: boolean }[];
}

export type Notices = ReturnType<typeof createNotices>;

/** For the surface that delivers notices. */
export function createNotices({ store }: { store: Store }) {
  return {
    /**
     * What these tasks are to announce; what does not open any more is left out. Recipients are those who may set
     * alerts (where it is the owner's: what owners may), and whoever did what it is about, as members stand now.
     */
    read: (tasks: readonly Task[]): WaitingNotice[] =>
      store.read((tables) =>
        tasks.flatMap(({ id, queuedAt: at, payload }) => {
          if (payload === undefined) return [];
          const notice = JSON.parse(payload) as Notice;
          return [{ id, at, notice, recipients: findRecipients(tables, notice) }];
        }),
      ),
  };
}

/** What whoever is told of it must be allowed to do. */
const OF_THE_OWNER: Partial<Record<Notice['kind'], Permission>> = {
  ownerToBeReplaced: 'handOver',
  webhookAdded: 'manageWebhooks',
  addressRefused: 'manageApiKeys',
  extractionUnsent: 'handOver',
  recovered: 'handOver',
  recoveredTwice: 'handOver',
  timeLost: 'handOver',
};

function findRecipients(tables: Tables, notice: Notice): WaitingNotice['recipients'] {
  if (notice.kind === 'consoleOpened' || notice.kind === 'ownerReplaced')
    return [{ telegramId: notice.telegramId, isOwn: true }];
  if (notice.accountId === null) return [];
  const needed = OF_THE_OWNER[notice.kind] ?? 'setAlerts';
  const actorLabel = 'actor' in notice ? notice.actor : undefined;
  return tables.members.list(notice.accountId).flatMap((row) => {
    const member = toActor(row);
    const isOwn = nameActor(member) === actorLabel;
    if (!isOwn && grantOf(member, needed) === 'no') return [];
    return [{ telegramId: member.telegramId, isOwn }];
  });
}

/** Writes a notice; it exists if the transaction does. */
export function writeNotice(tables: Tables, notice: Notice, now: number): void {
  tables.tasks.add({ task: 'announce', queue: 'notices', payload: JSON.stringify(notice), now });
  notifyPrograms(tables, notice, now);
}

/** What people are told of the account, its programs may be told, too. */
function notifyPrograms(tables: Tables, notice: Notice, now: number): void {
  if (notice.accountId === null) return;
  const { accountId } = notice;
  switch (notice.kind) {
    case 'stockLow': {
      const { gameId, denomination, threshold, left } = notice;
      if (left === 'noneEither') return;
      const count = () => countFree(tables, { accountId, gameId, denomination });
      const describe = () =>
        ({ type: 'stock.low', gameId, denomination, available: count(), threshold }) as const;
      return enqueue(tables, accountId, 'stock.low', describe, now);
    }
    case 'quotaUsed': {
      const { percent } = notice;
      return enqueue(tables, accountId, 'quota.used', () => ({ type: 'quota.used', percent }), now);
    }
    case 'subscriptionEnds': {
      const { endsAt, daysLeft } = notice;
      const describe = () => ({ type: 'subscription.ending', endsAt, daysLeft }) as const;
      return enqueue(tables, accountId, 'subscription.ending', describe, now);
    }
    case 'doubtSettled':
    case 'loginCame':
    case 'jobSetAside':
    case 'codeTakenBack':
    case 'stockPaused':
    case 'extractionUnsent':
    case 'recovered':
    case 'recoveredTwice':
    case 'timeLost':
    case 'webhookOff':
    case 'webhookAdded':
    case 'addressRefused':
    case 'orderStopped':
    case 'claimStuck':
    case 'consoleOpened':
    case 'ownerToBeReplaced':
    case 'ownerReplaced':
  }
}

/** What is told of a stock key. */
export const LEVELS = { enough: 0, few: 1, none: 2 };
/** No threshold that is set by itself is lower. */
const LEAST_THRESHOLD = 5;

/** Under a threshold of 0 are none; nobody is told but programs. */
const levelOf = (available: number, threshold: number): number =>
  available === 0 ? LEVELS.none : available < threshold ? LEVELS.few : LEVELS.enough;

/**
 * After stock of a denomination changed: promises it to the orders that want it, and tells once when it fell under its
 * threshold, once when none is left, and arms again when refilled. The last of them is told where no threshold was ever
 * set, too. `found`: as it stands now, where that is known; `wasOut`: whether programs know that none is left.
 */
export function watchStock(
  tables: Tables,
  { accountId, gameId, denomination }: StockKey,
  now: number,
  found: StockLevel = tables.stock.readLevel({ accountId, gameId, denomination }),
  wasOut = found.notified === LEVELS.none,
): void {
  const stockKey = { accountId, gameId, denomination };
  if (found.isWanted) promiseStock(tables, stockKey, now);
  const available = found.isWanted ? countFree(tables, stockKey) : freeOf(found);
  const isKnown = found.threshold !== null;
  if (!isKnown && available > 0) return;
  if (!isKnown) tables.stock.setAlert({ ...stockKey, threshold: LEAST_THRESHOLD });
  const { threshold, notified } = {
    threshold: found.threshold ?? LEAST_THRESHOLD,
    notified: found.notified ?? LEVELS.enough,
  };
  const level = levelOf(available, threshold);
  if (level === notified) return;
  tables.stock.markNotified(stockKey, level);
  if ((level === LEVELS.none) !== wasOut) {
    const type = wasOut ? 'stock.back' : 'stock.out';
    enqueue(tables, accountId, type, () => ({ type, gameId, denomination, available, threshold }), now);
  }
  if (threshold < 1 || level < notified) return;
  const none = notified === LEVELS.few ? 'noneEither' : 'none';
  const left = level === LEVELS.none ? ({ left: none } as const) : {};
  writeNotice(tables, { kind: 'stockLow', ...stockKey, threshold, ...left }, now);
}

/**
 * After an import: where no threshold was ever set, a tenth of it is one; nobody is told that the import itself was
 * small.
 */
export function setThreshold(tables: Tables, stockKey: StockKey, imported: number): void {
  const { threshold: known, takeable } = tables.stock.readLevel(stockKey);
  if (known !== null) return;
  const threshold = Math.max(LEAST_THRESHOLD, Math.ceil(imported / 10));
  tables.stock.setAlert({ ...stockKey, threshold });
  tables.stock.markNotified(stockKey, levelOf(takeable, threshold));
}

// What the bot keeps for itself, as the application hands it to the bot. Everything that may hold a secret is sealed.
import { asc, eq, sql, type Orm } from '../engine/drizzle.ts';
import {
  prepareConversations,
  prepareDrafts,
  prepareInbox,
  prepareOutbox,
  prepareWatches,
} from './bot-queries.ts';
import { preferences } from '../schema/bot.ts';
import type { Secrets } from '../engine/secrets.ts';

const ph = sql.placeholder;

/** Updates that arrived, and where they stand. */
export function createInboxTable(orm: Orm, secrets: Secrets) {
  const queries = prepareInbox(orm);
  const identity = (updateId: number) => `inbox:${updateId}`;
  return {
    /** Keeps an update; false when it is there already. */
    keep: (updateId: number, update: string, now: number) =>
      queries.keep.run({ updateId, updateSecret: secrets.seal(identity(updateId), update), now }).changes ===
      1,
    /** Waiting updates after this one, in order. */
    listWaiting: (afterId: number, limit: number) =>
      queries.listWaiting.all({ afterId, limit }).map(({ updateId, updateSecret, attempts, receivedAt }) => ({
        updateId,
        attempts,
        receivedAt,
        update: secrets.open(identity(updateId), updateSecret),
      })),
    countWaiting: (): number => queries.countWaiting.get()?.count ?? 0,
    lastId: (): number | undefined => queries.lastId.get()?.updateId ?? undefined,
    /** Counts one more beginning; how many there were with it. */
    begin: (updateId: number): number => queries.begin.get({ updateId })?.attempts ?? 0,
    finish: (updateId: number, state: 'done' | 'failed' | 'set_aside') =>
      queries.finish[state].run({ updateId }).changes === 1,
    /** Forgets up to `limit` updates that are over and were received until then; returns how many. */
    forget: (until: number, limit: number) => queries.forget.run({ until, limit }).changes,
  };
}

/** Messages to be sent later. */
export function createOutboxTable(orm: Orm, secrets: Secrets) {
  const queries = prepareOutbox(orm);
  const identity = (key: string) => `outbox:${key}`;
  return {
    /** Keeps a message; false when one of this key is there already. */
    keep: (message: { key: string; chatId: number; content: string; now: number }) =>
      queries.keep.run({
        chatId: message.chatId,
        messageKey: message.key,
        messageSecret: secrets.seal(identity(message.key), message.content),
        now: message.now,
      }).changes === 1,
    countWaiting: (): number => queries.countWaiting.get()?.count ?? 0,
    listDue: (now: number, limit: number) =>
      queries.listDue.all({ now, limit }).map(({ id, chatId, messageKey, messageSecret, attempts }) => ({
        id,
        chatId,
        attempts,
        content: secrets.open(identity(messageKey), messageSecret),
      })),
    finish: (id: number, state: 'sent' | 'dropped') => queries.finish[state].run({ id }).changes === 1,
    postpone: (id: number, nextAt: number) => queries.postpone.run({ id, nextAt }).changes === 1,
    forget: (until: number, limit: number) => queries.forget.run({ until, limit }).changes,
  };
}

/** Where people stand in conversations. */
export function createConversationsTable(orm: Orm, secrets: Secrets) {
  const queries = prepareConversations(orm);
  const identity = (chatId: number, userId: number) => `conversation:${chatId}:${userId}`;
  return {
    find(chatId: number, userId: number): { state: string; touchedAt: number } | undefined {
      const row = queries.find.get({ chatId, userId });
      return (
        row && { state: secrets.open(identity(chatId, userId), row.stateSecret), touchedAt: row.touchedAt }
      );
    },
    save: (chatId: number, userId: number, state: string, now: number) =>
      void queries.save.run({
        chatId,
        userId,
        stateSecret: secrets.seal(identity(chatId, userId), state),
        now,
      }),
    remove: (chatId: number, userId: number) => queries.remove.run({ chatId, userId }).changes === 1,
  };
}

export interface StoredDraft {
  id: string;
  chatId: number;
  userId: number;
  action: string;
  /** JSON */
  payload: string;
  expiresAt: number;
}

/** Last confirmations. */
export function createDraftsTable(orm: Orm, secrets: Secrets) {
  const queries = prepareDrafts(orm);
  const identity = (id: string) => `draft:${id}`;
  return {
    keep({ payload, ...draft }: StoredDraft) {
      queries.keep.run({ ...draft, payloadSecret: secrets.seal(identity(draft.id), payload) });
    },
    find(id: string): (StoredDraft & { takenBy: number | null }) | undefined {
      const row = queries.find.get({ id });
      if (!row) return undefined;
      const { payloadSecret, ...draft } = row;
      return { ...draft, payload: secrets.open(identity(id), payloadSecret) };
    },
    /** Takes a draft for one update, once; the same update may take it again. */
    take: (id: string, updateId: number, now: number) =>
      queries.take.run({ id, updateId, now }).changes === 1,
    forget: (until: number, limit: number) => queries.forget.run({ until, limit }).changes,
  };
}

/** Which messages show which redemptions. */
export function createWatchesTable(orm: Orm) {
  const queries = prepareWatches(orm);
  return {
    /** Watches a redemption; the first message that shows it stays. */
    keep(watch: { redemptionId: number; chatId: number; messageId: number; telegramId: number }) {
      queries.keep.run(watch);
    },
    listOpen: (limit: number) => queries.listOpen.all({ limit }),
    show: (redemptionId: number, shown: string, done: boolean) =>
      queries.show.run({ redemptionId, shown, done: done ? 1 : 0 }).changes === 1,
  };
}

/** What people chose in /settings. */
export function createPreferencesTable(orm: Orm) {
  const find = orm
    .select()
    .from(preferences)
    .where(eq(preferences.telegramId, ph('telegramId')))
    .prepare();
  const list = orm.select().from(preferences).orderBy(asc(preferences.telegramId)).prepare();
  const save = orm
    .insert(preferences)
    .values({
      telegramId: ph('telegramId'),
      language: ph('language'),
      mutedNotices: ph('mutedNotices'),
      menu: ph('menu'),
    })
    .onConflictDoUpdate({
      target: preferences.telegramId,
      set: {
        language: sql`excluded.language`,
        mutedNotices: sql`excluded.muted_notices`,
        menu: sql`excluded.menu`,
      },
    })
    .prepare();
  return {
    find: (telegramId: number) => find.get({ telegramId }),
    list: () => list.all(),
    save(choice: { telegramId: number; language: string | null; mutedNotices: string; menu: string }) {
      save.run(choice);
    },
  };
}

// An account paused or closed by the host, and both undone. Paused, it spends and hands out nothing; closed, it has no
// keys, no people and no subscription, until it is opened again within 30 days. Doubts go on to their end either way.
import type { Store, Tables } from '../../store/index.ts';
import { DAY_MS, type Clock } from '../../clock.ts';
import { record, type AuditedAct } from '../audit-log.ts';
import { type HostActor, type InTransaction, type Role, requireHost } from '../context.ts';
import { CoreError } from '../errors.ts';
import { requireAccount } from '../members.ts';
import { wakeWaiting } from '../promises.ts';

export const SUSPENSIONS = ['pause', 'resume', 'close', 'reopen'] as const;
export type Suspension = (typeof SUSPENSIONS)[number];

/** `unchanged`: it was so already. `members` and `keys`: how many went with it, or came back. */
export type SuspendAnswer = { status: 'changed'; members: number; keys: number } | { status: 'unchanged' };

type AccountRow = ReturnType<typeof requireAccount>;
type Work = (tables: Tables, account: AccountRow, now: number) => { members: number; keys: number };

/** For so many days a closed account can be opened again. */
export const REOPENED_WITHIN_DAYS = 30;

const CHANGES: Record<
  Suspension,
  { act: AuditedAct; isDone: (account: AccountRow) => boolean; apply: Work }
> = {
  pause: {
    act: 'accountPaused',
    isDone: ({ pausedAt }) => pausedAt !== null,
    apply: (tables, account, now) => setPaused(tables, account, now),
  },
  resume: {
    act: 'accountResumed',
    isDone: ({ pausedAt }) => pausedAt === null,
    apply: (tables, account) => setPaused(tables, account, null),
  },
  close: { act: 'accountClosed', isDone: ({ closedAt }) => closedAt !== null, apply: close },
  reopen: { act: 'accountReopened', isDone: ({ closedAt }) => closedAt === null, apply: reopen },
};

/**
 * Pauses, resumes, closes or opens an account again. Safe to repeat. Throws CoreError FORBIDDEN, NOT_FOUND, and
 * CONFLICT where it is closed and is to be paused or resumed, or was closed more than 30 days ago and is to be opened
 * again.
 */
export const createSuspend =
  ({ store, clock }: { store: Store; clock: Clock }) =>
  (
    actor: HostActor,
    accountId: number,
    change: Suspension,
    inTransaction?: InTransaction<SuspendAnswer>,
  ): Promise<SuspendAnswer> => {
    requireHost(actor);
    return store.write((tables): SuspendAnswer => {
      const account = requireAccount(tables, accountId);
      const answer = carryOut(tables, actor, { account, change, now: clock.now() });
      inTransaction?.(tables, answer);
      return answer;
    });
  };

function carryOut(
  tables: Tables,
  actor: HostActor,
  { account, change, now }: { account: AccountRow; change: Suspension; now: number },
): SuspendAnswer {
  const { act, isDone, apply } = CHANGES[change];
  const accountId = account.id;
  if (isDone(account)) return { status: 'unchanged' };
  const moved = apply(tables, account, now);
  const after = moved.members + moved.keys > 0 ? moved : undefined;
  record(tables, actor, act, { accountId, after }, now);
  return { status: 'changed', ...moved };
}

function setPaused(tables: Tables, { id, closedAt }: AccountRow, pausedAt: number | null) {
  if (closedAt !== null) throw new CoreError('CONFLICT', `Account ${id} is closed. Open it again first.`);
  tables.accounts.setPaused(id, pausedAt);
  return { members: 0, keys: 0 };
}

/** The Telegram number of its owner; of a closed account, whose it was. undefined where there is none. */
export function findOwnerId(store: Store, accountId: number): number | undefined {
  return store.read((tables) => {
    const owner = tables.members.findOwner(accountId);
    if (owner) return owner.telegramId;
    const { closedMembers } = tables.accounts.find(accountId) ?? {};
    return readMembers(closedMembers).find(({ role }) => role === 'owner')?.telegramId;
  });
}

interface ClosedMember {
  telegramId: number;
  name: string;
  role: Role;
}

function close(tables: Tables, { id: accountId }: AccountRow, now: number) {
  const members = tables.members.list(accountId);
  for (const { telegramId, role } of members) tables.members.remove(accountId, telegramId, role);
  const kept = members.map(({ telegramId, name, role }): ClosedMember => ({ telegramId, name, role }));
  tables.accounts.setClosed(accountId, now, JSON.stringify(kept));
  wakeWaiting(tables, accountId, null, now);
  return { members: members.length, keys: tables.apiKeys.revokeAll(accountId, now) };
}

/** Whoever is in another account by now stays there; a new owner is invited where the owner is. */
function reopen(tables: Tables, { id: accountId, closedAt, closedMembers }: AccountRow, now: number) {
  if (closedAt === null || now - closedAt > REOPENED_WITHIN_DAYS * DAY_MS) {
    const message = `Account ${accountId} was closed more than ${REOPENED_WITHIN_DAYS} days ago: open a new one.`;
    throw new CoreError('CONFLICT', message);
  }
  const back = readMembers(closedMembers).filter(({ telegramId }) => !tables.members.find(telegramId));
  for (const member of back) tables.members.insert({ ...member, accountId, username: null, now });
  tables.accounts.setClosed(accountId, null, null);
  return { members: back.length, keys: tables.apiKeys.restoreAll(accountId, closedAt) };
}

const readMembers = (json: string | null | undefined): ClosedMember[] =>
  JSON.parse(json ?? '[]') as ClosedMember[];

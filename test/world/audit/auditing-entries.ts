// Of the evening's audit: every field of a line of the history and of a receipt is what the books have, sealed values
// opened.
import { readBooked, type Booked } from './books.ts';
import type { Audit } from './auditing.ts';

const NEWEST = `r.id in (select id from redemptions where account_id = @account order by created_at desc, id desc limit 100)`;
const timeOf = (at: number | null) => (at === null ? undefined : new Date(at).toISOString());

export async function entries({ world, shop, read, rows }: Audit): Promise<string[]> {
  const booked = readBooked(
    { rows: (sql, values = {}) => rows(sql, { account: shop.accountId, ...values }) },
    NEWEST,
  );
  const { json } = await read('/history');
  const listed = new Map((json as { id: number }[]).map((entry) => [entry.id, entry]));
  const wrong = booked.flatMap((row) =>
    compare(`the line of ${row.id}`, listed.get(row.id), formatEntry(row)),
  );
  const one = world.random.pick(booked);
  if (!one) return wrong;
  const receipt = await read(`/history/${one.id}`);
  return [...wrong, ...compare(`receipt ${one.id}`, receipt.json, formatActivation(one))].slice(0, 3);
}

function formatEntry(row: Booked): object {
  const { id, state, warning, code, denomination, amount, playerId, gameId, createdAt, settledAt } = row;
  const isOpen = state === 'pending' || state === 'in_doubt';
  return {
    id,
    error: state !== 'redeemed',
    warning: warning === 1,
    code,
    denomination: denomination ?? amount ?? undefined,
    playerId,
    gameId,
    createdAt: timeOf(createdAt),
    settledAt: isOpen ? undefined : timeOf(settledAt),
  };
}

function formatActivation(row: Booked): object {
  const {
    id,
    state,
    createdAt,
    settledAt,
    gameId,
    playerId,
    code,
    warning,
    openid,
    playerName,
    amount,
    login,
  } = row;
  const both = { id, createdAt: timeOf(createdAt), settledAt: timeOf(settledAt), gameId, playerId, code };
  return state === 'redeemed'
    ? {
        ...both,
        type: 'ActivationReceipt',
        warning: warning === 1,
        openid,
        name: playerName,
        amount: amount ?? undefined,
        uid: login?.uid,
        email: login?.email,
        password: login?.password,
      }
    : { ...both, type: 'ActivationError', errorCode: row.errorCode, codeReset: row.codeReset === 1 };
}

/** What is told beside these fields is another's business. */
function compare(what: string, told: unknown, kept: object): string[] {
  const fields = (told ?? {}) as Record<string, unknown>;
  return Object.entries(kept).flatMap(([name, value]) =>
    JSON.stringify(fields[name]) === JSON.stringify(value)
      ? []
      : [`${what} says ${name} ${JSON.stringify(fields[name])}, and the books say ${JSON.stringify(value)}`],
  );
}

// What must be so of the shop after each verb, whatever befell it: the platform's ledger and Telegram's against the
// books, and that nothing is left over.
import { checkConservation } from '../../../src/store/backup/conservation.ts';
import { hashOf } from '../promises/ledger.ts';
import { look } from '../run/rest.ts';
import { GAME, type Shop } from './shop.ts';

/**
 * What may have gone another way than was asked for. `refusals`: the platform, or a disk, may have said no to it;
 * `restored`: what came after the backup is lost, but for what the platform knows.
 */
export interface Lenience {
  refusals?: boolean;
  /** It may say so in its log. */
  logs?: boolean;
  /** A task or an update may be given up. */
  givesUp?: boolean;
  /** Somebody may not have been told. */
  isUntold?: boolean;
  restored?: boolean;
}

interface Row {
  id: number;
  playerId: string;
  state: string;
  hash: string | null;
}

const REDEMPTIONS =
  'select id, player_id as playerId, state, lower(hex(code_hash)) as hash from redemptions where code_hash is not null';
const CODES = 'select lower(hex(code_hash)) as hash, state from codes order by id';
const LEFT = {
  'updates that are given up': "select update_id as which from inbox where state in ('failed', 'set_aside')",
  'tasks that are given up': `select task || ': ' || coalesce(last_error, '') as which from tasks
    where dead_at is not null and last_error is not 'A backup was restored.'`,
};

/** What is not so, in sentences. */
export function judge(shop: Shop, lenience: Lenience = {}): string[] {
  return [
    ...judgeConservation(shop),
    ...judgeSpent(shop, lenience),
    ...judgePlayers(shop, lenience),
    ...(lenience.restored
      ? []
      : [...judgeHandedOut(shop), ...judgeCharges(shop), ...judgeTold(shop), ...shop.untrue]),
    ...Object.entries(lenience.givesUp || lenience.restored ? {} : LEFT).flatMap(([what, sql]) =>
      shop.books<{ which: string }>(sql).map(({ which }) => `${what}: ${which}`),
    ),
  ];
}

const judgeConservation = ({ disk }: Shop): string[] =>
  look(disk.databasePath(), (file) => checkConservation(file).rows).map((row) => JSON.stringify(row));

/** What the platform carried out is redeemed here, and nothing else; what stands in stock it has not. */
function judgeSpent({ platform, books }: Shop, { restored = false }: Lenience): string[] {
  const byHash = Map.groupBy(books<Row>(REDEMPTIONS), ({ hash }) => hash);
  const stock = new Map(
    books<{ hash: string; state: string }>(CODES).map(({ hash, state }) => [hash, state]),
  );
  const spent = new Set<string>();
  const wrong = [...platform.spent.values()].flatMap(({ gameId, code, playerId, reference }) => {
    if (reference === undefined) return [];
    const hash = hashOf(gameId, code);
    spent.add(hash);
    const isRedeemed = byHash.get(hash)?.some(({ state }) => state === 'redeemed') ?? false;
    const state = stock.get(hash);
    const where = `${code} is spent for ${playerId}, and`;
    if (state === 'available' || (state === 'extracted' && !restored)) return [`${where} is ${state}`];
    return isRedeemed || restored ? [] : [`${where} no redemption of it is redeemed`];
  });
  for (const [hash, rows] of byHash)
    for (const { id, state } of rows)
      if (state === 'redeemed' && !spent.has(hash ?? ''))
        wrong.push(`redemption ${id} is redeemed, and its code is not`);
  if (!restored) wrong.push(...[...platform.resent].map((reference) => `${reference} was sent once more`));
  return wrong;
}

/** Whoever ordered got what they ordered, and no code more. */
function judgePlayers({ players, platform, books }: Shop, lenience: Lenience): string[] {
  const { refusals, restored, isUntold } = lenience;
  const wrong: string[] = [];
  for (const [playerId, wanted] of players) {
    const spent = [...platform.spent.values()].filter((each) => each.playerId === playerId).length;
    const redeemed = books("select 1 from redemptions where player_id = ? and state = 'redeemed'", playerId);
    if (spent > wanted || (spent < wanted && !refusals && !restored && !isUntold))
      wrong.push(`${playerId} was to get ${wanted}, and the platform redeemed ${spent}`);
    if (redeemed.length !== spent && !restored)
      wrong.push(`${playerId} got ${spent}, and the books have ${redeemed.length}`);
  }
  players.clear();
  return wrong;
}

/** What is in somebody's hands nobody else gets. */
function judgeHandedOut({ handedOut, books }: Shop): string[] {
  const stock = new Map(
    books<{ hash: string; state: string }>(CODES).map(({ hash, state }) => [hash, state]),
  );
  return [...handedOut].flatMap(([code, by]) => {
    const state = stock.get(hashOf(GAME, code)) ?? 'nowhere';
    return state === 'extracted' ? [] : [`${code} was handed out by ${by}, and is ${state}`];
  });
}

/** What was paid is credited once, and what was given back is taken back. */
function judgeCharges({ charges, books }: Shop): string[] {
  const sql = 'select refunded_at as refundedAt from purchases where charge_id = ?';
  const wrong = [...charges].flatMap(([charge, state]) => {
    const rows = books<{ refundedAt: number | null }>(sql, charge);
    if (rows.length !== 1) return [`${charge} is booked ${rows.length} times`];
    const isBack = rows[0]?.refundedAt !== null;
    return isBack === (state === 'given back') ? [] : [`${charge} is ${state}, and booked otherwise`];
  });
  const known = `select charge_id as charge from purchases where currency = 'XTR'`;
  const invented = books<{ charge: string }>(known).filter(({ charge }) => !charges.has(charge));
  return [...wrong, ...invented.map(({ charge }) => `nobody has paid ${charge}`)];
}

/** Programs are told of each end, once or more. */
function judgeTold({ receivers, books }: Shop): string[] {
  const told = new Set(
    receivers.delivered.flatMap(({ body, isTaken }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { id: number } };
      return type === 'redemption.settled' && isTaken ? [data.id] : [];
    }),
  );
  const ended = "select id from redemptions where state in ('redeemed', 'failed') and actor like 'apiKey:%'";
  return books<{ id: number }>(ended)
    .filter(({ id }) => !told.has(id))
    .map(({ id }) => `no program was told how redemption ${id} ended`);
}

// The players an account redeemed for last: known by name, so that nobody has to type an ID or pay a look-up again.
import type { Store } from '../../store/index.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import type { Game } from '../games.ts';
import { readNamed } from '../order-texts/player-name.ts';
import type { OrderItem } from '../order-texts/items.ts';

interface KnownPlayer {
  playerId: string;
  name: string;
}

export type FindLastPlayers = (actor: AccountActor, gameId: string) => KnownPlayer[];

/** The game that a person redeemed in last; undefined where that was not among the newest of the account. */
export type FindLastGame = (actor: AccountActor) => string | undefined;

/** What was redeemed from the code database, for whom. */
interface LastOrder {
  gameId: string;
  player: KnownPlayer;
  denomination: number;
}

/**
 * What a person redeemed last, where that came from the code database; undefined where it did not, or is too long ago.
 */
export type FindLastOrder = (actor: AccountActor) => LastOrder | undefined;

/** A player whom the account redeemed for of late, as a message names them, and what it wants for them. */
export type FindNamed = (
  actor: AccountActor,
  text: string,
) => { gameId: string; player: KnownPlayer; items: OrderItem[]; amount?: number } | undefined;

const MOST = 5;
/** How far back it looks: enough for a busy day. */
const LOOKED_THROUGH = 500;

/**
 * Up to five, newest first, each once; who may read only their own receipts gets the players of those. Throws
 * FORBIDDEN.
 */
export function createLastPlayers({ store }: { store: Store }): FindLastPlayers {
  return (actor, gameId) => {
    const grant = requirePermission(actor, 'readReceipts');
    const rows = listNewest(store, actor);
    const players = new Map<string, KnownPlayer>();
    for (const row of rows) {
      if (row.gameId !== gameId || !row.playerName || players.has(row.playerId)) continue;
      if (grant === 'own' && row.actor !== nameActor(actor)) continue;
      players.set(row.playerId, { playerId: row.playerId, name: row.playerName });
      if (players.size === MOST) break;
    }
    return [...players.values()];
  };
}

/** Throws FORBIDDEN. */
export function createLastGame({ store }: { store: Store }): FindLastGame {
  return (actor) => {
    requirePermission(actor, 'readReceipts');
    return findLast(store, actor)?.gameId;
  };
}

/** Throws FORBIDDEN. */
export function createLastOrder({ store }: { store: Store }): FindLastOrder {
  return (actor) => {
    requirePermission(actor, 'readReceipts');
    const last = findLast(store, actor);
    if (!last?.playerName || last.denomination === null) return undefined;
    const player = { playerId: last.playerId, name: last.playerName };
    return { gameId: last.gameId, player, denomination: last.denomination };
  };
}

/** undefined where the name is nobody's, or of several, or where anything else stands there. Throws FORBIDDEN. */
export function createFindNamed({
  store,
  games,
}: {
  store: Store;
  games: { all: readonly Game[]; managed: readonly Game[] };
}): FindNamed {
  return (actor, text) => {
    requirePermission(actor, 'redeem');
    const rows = listNewest(store, actor).flatMap(({ gameId, playerId, playerName }) =>
      playerName ? [{ gameId, playerId, name: playerName }] : [],
    );
    const named = readNamed(text, rows, games);
    if (!named) return undefined;
    const { player, form } = named;
    const { playerId: _id, ...wanted } = form;
    return { ...wanted, gameId: player.gameId, player: { playerId: player.playerId, name: player.name } };
  };
}

function listNewest(store: Store, { accountId }: AccountActor) {
  return store.read((tables) => tables.receiptDetails.listPlayers(accountId, LOOKED_THROUGH));
}

/** What the person redeemed last. */
const findLast = (store: Store, actor: AccountActor) =>
  listNewest(store, actor).find((row) => row.actor === nameActor(actor));

// What a claim link promises: one order a link and as many receipts as it has codes, for a player whom somebody has
// confirmed; what is revoked, expired or not confirmed spends nothing; and the stock keeps for the open ones what they
// are for.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { hashOf } from './ledger.ts';

/** A link as whoever sold it knows it. */
export interface SoldLink {
  by: string;
  account: number;
  at: number;
  id: string;
  /** Of its page. */
  path: string;
  /** By which it was made, and how many codes it is for. */
  body: object;
  key: string;
  codes: number;
  /** The players for whom somebody has pressed that it is theirs. */
  confirmed: Set<string>;
  end: 'revoked' | undefined;
  /** How often anybody has done something by it. */
  moves: number;
  /** Another past was put in place since. */
  isOfLostPast: boolean;
  /** Somebody in the chat redeems for one of its players, too, or a host sold without asking what a lost time has spent. */
  isExcused: boolean;
}

interface Row {
  id: number;
  name: string;
  state: string;
  codes: number;
  redeemed: number;
  byLink: number;
}

/** `redeemed`: of its order; `byLink`: of whatever was asked for by the link itself. */
const CLAIMS = `
  select c.id, c.name, c.state,
    (select count(*) from order_items i where i.order_id = c.order_id) as codes,
    (select count(*) from order_items i join redemptions r on r.id = i.redemption_id
      where i.order_id = c.order_id and r.state = 'redeemed') as redeemed,
    (select count(*) from redemptions r where r.account_id = c.account_id and r.actor = 'claim:' || c.id
      and r.state = 'redeemed') as byLink
  from claims c`;
const USED = new Set(['confirmed', 'settled', 'stuck']);

export function aLinkIsOneOrderAndAReceiptACode({ disk }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(CLAIMS).all() as Row[]);
  return rows.flatMap((row) => {
    const { state, codes, redeemed, byLink } = row;
    const isSo =
      byLink <= codes && (state === 'settled') === (redeemed === codes) && (USED.has(state) || byLink === 0);
    return isSo ? [] : [`a link that is ${state}: ${JSON.stringify(row)}`];
  });
}

const BY_LINKS = `
  select c.name, r.id, r.player_id as playerId from redemptions r
  join claims c on c.id = cast(substr(r.actor, 7) as integer)
  where r.actor like 'claim:%' and r.id > ?`;

/** Whoever typed an ID has begun nothing. */
export function aLinkSpendsForWhomSomebodyHasConfirmed({ disk, diary }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(BY_LINKS).all(diary.judgedRedemption)) as {
    name: string;
    id: number;
    playerId: string;
  }[];
  return rows.flatMap(({ name, id, playerId }) => {
    const link = diary.links.find((each) => each.id === name);
    return !link || link.confirmed.has(playerId)
      ? []
      : [`redemption ${id} of ${name} is for ${playerId}, whom nobody has confirmed`];
  });
}

/** Kept for one that is over, or not kept for an open one while there are codes that are promised to nobody. */
const KEPT_WRONGLY = `
  select c.name, c.state, i.n, i.promised from claims c join order_items i on i.order_id = c.order_id
  where c.state in ('revoked', 'expired', 'settled') and i.promised > 0
    or c.state = 'open' and i.promised = 0
      and not exists (select 1 from stock_pauses s where s.account_id = i.account_id and s.game_id = i.game_id
        and s.denomination = i.denomination and s.paused_at is not null)
      and coalesce((select k.count from stock_counts k where k.account_id = i.account_id and k.game_id = i.game_id
          and k.denomination = i.denomination and k.state = 'available'), 0)
        > coalesce((select p.count from stock_promises p where p.account_id = i.account_id and p.game_id = i.game_id
          and p.denomination = i.denomination), 0)`;

export function theStockKeepsWhatOpenLinksAreFor({ disk }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(KEPT_WRONGLY).all());
  return rows.map((row) => `the stock keeps for links what they are not for: ${JSON.stringify(row)}`);
}

const BY_PEOPLE = `
  select a.reference from attempts a join redemptions r on r.id = a.redemption_id where r.actor like 'member:%'`;
const KNOWN = 'select 1 from codes where code_hash = ?';

/**
 * Whatever was restored, in whichever past it was sold and used: no more codes of those that the books know are spent
 * by a link than it is for.
 */
export function noLinkIsRedeemedTwice(world: World): string[] {
  const { disk, diary, platform } = world;
  excuse(diary);
  return look(disk.databasePath(), (file) => {
    const byPeople = new Set(file.prepare(BY_PEOPLE).pluck().all());
    const known = file.prepare(KNOWN);
    const spent = Map.groupBy(
      [...platform.spent.values()].filter(
        ({ reference, gameId, code }) =>
          reference !== undefined &&
          !byPeople.has(reference) &&
          known.get(Buffer.from(hashOf(gameId, code), 'hex')) !== undefined,
      ),
      ({ playerId }) => playerId,
    );
    return diary.links.flatMap(({ id, codes, confirmed, isExcused }) => {
      const own = [...confirmed].flatMap((playerId) => spent.get(playerId) ?? []);
      if (isExcused || own.length <= codes) return [];
      const told = own.map(({ code, playerId }) => `${code} for ${playerId}`);
      return [`${id} is for ${codes} codes, and has spent ${told.join(', ')}`];
    });
  });
}

function excuse({ links, taps, takeovers }: World['diary']): void {
  const isUnswept = takeovers.some((takeover) => takeover.isUnswept);
  for (const link of links)
    link.isExcused ||=
      (isUnswept && link.isOfLostPast) ||
      [...link.confirmed].some((playerId) => taps.some(({ asked }) => asked.includes(playerId)));
}

const REVOKED = 'select state from claims where name = ?';

export function aRevokedLinkStaysRevoked({ disk, diary }: World): string[] {
  return look(disk.databasePath(), (file) => {
    const find = file.prepare(REVOKED).pluck();
    return diary.links.flatMap(({ id, end, isOfLostPast }) => {
      if (isOfLostPast) return [];
      const state = find.get(id) as string | undefined;
      return end === undefined || state === end ? [] : [`${id} was revoked, and is ${state}`];
    });
  });
}

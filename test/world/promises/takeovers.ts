// What a takeover owes to those who were under way when the machine was lost: an order has one code, each order its
// own; whoever asks again gets what was carried out for them; and what was handed out stays with whom it was handed to.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

/** An order of a program, with a number of its own or none. */
export interface LostOrder {
  accountId: number;
  playerId: string;
  key: string | undefined;
  /** `code` and `login`: of a receipt. */
  answers: { status: number; code: string | undefined; login: string | undefined }[];
}

/** What went on around a takeover, as those who took part know it. */
export interface Takeover<Order extends LostOrder = LostOrder> {
  orders: Order[];
  /** Codes in somebody's hands, by what gave them to them. */
  handedOut: { accountId: number; by: string; code: string }[];
  /** A host sold by verification alone since: who asks again may have a second code. */
  isUnswept?: boolean;
}

/** Where no other past was put in place since (faults/backup.ts). */
const listTakeovers = ({ diary }: World) => diary.takeovers;

const receiptsOf = ({ answers }: LostOrder) => answers.filter(({ code }) => code !== undefined);
/** It may have been carried out without having heard of it: it had no number, or is still told to ask later. */
const isSilent = ({ key, answers }: LostOrder): boolean =>
  answers.every(({ code }) => code === undefined) &&
  (key === undefined || [429, 503].includes(answers.at(-1)?.status ?? 503));
const codeOf = (order: LostOrder): string | undefined => receiptsOf(order).at(-1)?.code;

/** Somebody in the chat redeems for one of these players, too. */
const BY_PEOPLE = `
  select a.reference from attempts a join redemptions r on r.id = a.redemption_id where r.actor like 'member:%'`;

export function noOrderHasTwoCodesAfterATakeover(world: World): string[] {
  const { platform, secrets, disk } = world;
  const byPeople = new Set(look(disk.databasePath(), (file) => file.prepare(BY_PEOPLE).pluck().all()));
  const swept = listTakeovers(world).filter(({ isUnswept }) => !isUnswept);
  return swept.flatMap(({ orders }) => {
    const ofPlayer = Map.groupBy(orders, ({ accountId, playerId }) => `${accountId} ${playerId}`);
    return [...ofPlayer].flatMap(([who, own]) => {
      const [{ accountId, playerId } = { accountId: 0, playerId: '' }] = own;
      const known = new Set(own.map(codeOf));
      const spent = [...platform.spent.values()].filter(
        ({ code, reference, playerId: whose }) =>
          reference !== undefined &&
          !byPeople.has(reference) &&
          whose === playerId &&
          secrets.ownersOf(code).has(accountId),
      );
      const silent = own.filter(isSilent).length;
      const others = spent.flatMap(({ code }) => (known.has(code) ? [] : [code]));
      return others.length <= silent ? [] : [`${others.join()} were spent for ${who}, and are nobody's`];
    });
  });
}

export function noOrderIsSwallowedByATakeover(world: World): string[] {
  return listTakeovers(world).flatMap(({ orders }) => {
    const codes = orders.flatMap((order) => codeOf(order) ?? []);
    const twice = codes.filter((code, index) => codes.indexOf(code) !== index);
    return twice.map((code) => `two orders were answered with ${code}`);
  });
}

export function whoeverAsksAgainGetsWhatWasCarriedOut(world: World): string[] {
  return listTakeovers(world).flatMap(({ orders, isUnswept }) =>
    orders.flatMap((order) => {
      if (isUnswept) return [];
      const name = `${order.key} for ${order.playerId} of ${order.accountId}`;
      const [first, ...others] = receiptsOf(order);
      const last = order.answers.at(-1);
      if (order.key === undefined || !first) return [];
      if (last?.status !== 200) return [`${name} had a receipt, and is answered ${last?.status}`];
      const other = others.find(({ code }) => code !== first.code);
      if (other) return [`${name} was answered with ${first.code}, and then with ${other.code}`];
      return first.login === undefined || last.login === first.login
        ? []
        : [`${name} had the login of ${first.code}, and is answered with ${last.login ?? 'none'}`];
    }),
  );
}

export function whatALostTimeHandedOutHasOneOwner(world: World): string[] {
  return listTakeovers(world).flatMap(({ orders, handedOut }) => {
    const byCode = Map.groupBy(handedOut, ({ code }) => code);
    const twice = [...byCode].flatMap(([code, given]) => {
      const other = given.find(({ by }) => by !== given[0]?.by);
      return other ? [`${code} was handed out by ${given[0]?.by} and by ${other.by}`] : [];
    });
    const spent = orders.flatMap((order) => {
      const given = byCode.get(codeOf(order) ?? '');
      return given ? [`${codeOf(order)} was handed out by ${given[0]?.by}, and redeemed`] : [];
    });
    return [...twice, ...spent];
  });
}

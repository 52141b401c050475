// What happens to a shop between two lines of a chat file (chat-file.ts), as lines that begin with `*`.
import Database from 'better-sqlite3';

import { BAD_REQUESTS_PER_MINUTE, type Role } from '../../../src/core/index.ts';
import { FAULTS, type Fault } from '../../telegram/faults.ts';
import type { User } from '../../telegram/types.ts';
import type { Stage } from './stage.ts';
import { makeXlsx } from '../../harness/xlsx.ts';

/** Numbered, so that a file shows the same codes each time. */
const code = (denomination: number, n: number) => `${denomination}S${String(n).padStart(12, '0')}`;

export const SHOP_DOINGS = {
  /** `* codes 60 3`: so many come into the stock; `* codes 60 3 game_id_2` into that of another game. */
  codes: (t: Stage, rest: string) => {
    const [denomination, count, gameId = 'game_id_1'] = rest.split(' ');
    const before = numbered.get(t) ?? 1;
    numbered.set(t, before + Number(count));
    const codes = Array.from({ length: Number(count) }, (_, n) => code(Number(denomination), before + n));
    return t.app().core.codes.add(t.actors.owner, gameId, [{ denomination: Number(denomination), codes }]);
  },
  /** `* program 60S930000000001`: a program adds one of 60 by its key. */
  program: (t: Stage, code: string) =>
    t.app().core.codes.add(t.app().actor, 'game_id_1', [{ denomination: 60, codes: [code] }]),
  /** `* order INV-1 60 2 5170925570`: a program orders so many of 60, and waits for them. */
  order: (t: Stage, rest: string) => {
    const [reference = '', denomination, count, playerId = ''] = rest.split(' ');
    const items = [{ denomination: Number(denomination), count: Number(count) }];
    const terms = { onShortage: 'wait', onBadCode: 'replace' } as const;
    const order = { gameId: 'game_id_1', playerId, items, ...terms, reference };
    const idempotencyKey = { scope: 'http', key: reference } as const;
    return t.app().core.orders.place(t.app().actor, { ...order, idempotencyKey });
  },
  /** `* given INV-2 5170925570 CODE1 CODE2`: a program orders that these codes of its own are redeemed. */
  given: (t: Stage, rest: string) => {
    const [reference = '', playerId = '', ...codes] = rest.split(' ');
    const items = codes.map((code) => ({ code }));
    const terms = { onShortage: 'refuse', onBadCode: 'stop' } as const;
    const order = { gameId: 'game_id_1', playerId, items, ...terms, reference };
    const idempotencyKey = { scope: 'http', key: reference } as const;
    return t.app().core.orders.place(t.app().actor, { ...order, idempotencyKey });
  },
  /** `* empty 60`: somebody takes all of them out. */
  empty: (t: Stage, denomination: string) => {
    const { codes } = t.app().core;
    const amount = codes.countAvailable(t.actors.owner, 'game_id_1').get(Number(denomination)) ?? 0;
    return codes.extract(t.actors.owner, { gameId: 'game_id_1', denomination: Number(denomination), amount });
  },
  /** `* questioned`: the service was restored, and what is there may be with somebody since. */
  questioned: (t: Stage) =>
    write(t, "update codes set state = 'in_question' where state in ('available', 'unverified')"),
  /** `* restored`: a backup was put in place in which the links that are open were it, too. */
  restored: (t: Stage) =>
    write(t, "update claims set state = 'stuck', trouble = 'afterRestore' where state = 'open'"),
  /** `* redeem 60 5170925570`: the operator redeems one from the stock; `* redeem 60 5170925570 admin` another. */
  redeem: (t: Stage, rest: string) => {
    const [denomination, playerId = '', role = 'operator'] = rest.split(' ');
    const order = { gameId: 'game_id_1', playerId, denomination: Number(denomination) };
    return t.app().core.redeem(t.actors[role as Role], order);
  },
  /** `* redeems 12 60 5170925570`: so many, one after the other; `* redeems 12 60 5170925570 admin` another. */
  redeems: async (t: Stage, rest: string) => {
    const [, count, order = ''] = /^(\d+) (.*)$/.exec(rest) ?? [];
    for (let n = 0; n < Number(count); n += 1) await SHOP_DOINGS.redeem(t, order);
  },
  /** `* direct LOST1abcdefghi 5170925570`: the operator redeems this code. */
  direct: (t: Stage, rest: string) => {
    const [given = '', playerId = ''] = rest.split(' ');
    return t.app().core.redeem(t.actors.operator, { gameId: 'game_id_1', playerId, code: given });
  },
  /** `* subscription ends`. */
  subscription: (t: Stage) => write(t, 'update accounts set subscription_expires_at = 1'),
  /** `* removed operator`, or by the number: `* removed 5003`. */
  removed: (t: Stage, who: string) => write(t, 'delete from members where telegram_id = ?', idOf(t, who)),
  /** `* role operator support`. */
  role: (t: Stage, rest: string) => {
    const [who = '', role] = rest.split(' ');
    write(t, 'update members set role = ? where telegram_id = ?', role, idOf(t, who));
  },
  /** `* forgotten 2`: the login of this receipt is not kept any more. */
  forgotten: (t: Stage, id: string) =>
    write(t, 'update redemptions set credentials_secret = null where id = ?', Number(id)),
  /** `* used`: the day's activations are used up, and come back at midnight. */
  used: (t: Stage) => {
    const rest = `insert into usages (account_id, at, daily, purchased, kind)
      select account_id, ?, 1200 - used, 0, 'redeem' from quotas where account_id = ?`;
    write(t, rest, MIDNIGHT_AGO, t.accountId);
    write(t, 'update quotas set used = 1200 where account_id = ?', t.accountId);
  },
  /** `* refusals`: as many orders of this minute were refused as are heard. */
  refusals: (t: Stage) => {
    for (let count = 0; count < BAD_REQUESTS_PER_MINUTE; count += 1)
      t.app().core.badRequestLimit.count(t.accountId);
  },
  /** `* follows stranger owner`: a stranger opens the newest link that was sent to the owner. */
  follows: (t: Stage, rest: string) => {
    const [who = '', of = ''] = rest.split(' ');
    const links = t.api.messages(personOf(t, of)).flatMap(({ html }) => html.match(LINK) ?? []);
    t.api.open(personOf(t, who), links.at(-1) ?? '');
  },
  /** `* pastes stranger owner Join: LINK`: the same link as words of theirs; TOKEN is what it carries. */
  pastes: (t: Stage, rest: string) => {
    const [who = '', of = '', ...words] = rest.split(' ');
    const links = t.api.messages(personOf(t, of)).flatMap(({ html }) => html.match(LINK) ?? []);
    const link = links.at(-1) ?? '';
    const text = words
      .join(' ')
      .replace('LINK', link)
      .replace('TOKEN', link.split('=')[1] ?? '');
    t.api.send(personOf(t, who), personOf(t, who), text);
  },
  /** `* edits operator 5170925571 60`: they correct the newest message of theirs; `* edits operator 2 …` the one before. */
  edits: (t: Stage, rest: string) => {
    const [, who = '', back = '1', text = ''] = /^(\w+) (?:(\d) )?(.*)$/.exec(rest) ?? [];
    const person = personOf(t, who);
    const own = t.api.messages(person).filter(({ from }) => from?.id === person.id);
    const message = own.at(-Number(back));
    if (message) t.api.edit(person, message, text.replaceAll(' / ', '\n'));
  },
  /** `* answers operator my ID is 517: 60`: they reply to the newest message that says so, theirs or the bot's. */
  answers: (t: Stage, rest: string) => {
    const [, who = '', said = '', text = ''] = /^(\w+) (.*?): (.*)$/.exec(rest) ?? [];
    const person = personOf(t, who);
    const message = t.api.messages(person).findLast((each) => each.text.includes(said));
    if (message) t.api.send(person, person, { text, replyTo: message.id });
  },
  /** `* picture owner`: they send a picture; `* picture owner 5170925570 60` with words under it. */
  picture: (t: Stage, rest: string) => {
    const [, who = '', caption] = /^(\w+)(?: (.*))?$/.exec(rest) ?? [];
    const person = personOf(t, who);
    t.api.send(person, person, { photo: PICTURE, ...(caption !== undefined && { caption }) });
  },
  /** `* album owner 3 5170925570 60`: so many pictures at once, with words under the first; `… 3 2 …` the second. */
  album: (t: Stage, rest: string) => {
    const [, who = '', count, at = '1', caption] = /^(\w+) (\d)(?: (\d))?(?: (.*))?$/.exec(rest) ?? [];
    const person = personOf(t, who);
    const album = (albums.get(t) ?? 0) + 1;
    albums.set(t, album);
    for (let n = 1; n <= Number(count); n += 1) {
      const words = n === Number(at) && caption !== undefined && { caption };
      t.api.send(person, person, { photo: PICTURE, ...words }, { album: String(album) });
    }
  },
  /** `* sticker owner`: they send something that is neither words nor a file. */
  sticker: (t: Stage, who: string) => {
    const person = personOf(t, who);
    const [own] = t.api.messages(person);
    if (own) t.api.send(person, person, { forward: { ...own, text: '', entities: [] } });
  },
  /** `* long owner 400 /add_codes 60`: so many codes behind these words, cut as a client cuts. */
  long: (t: Stage, rest: string) => {
    const [, who = '', count, words = ''] = /^(\w+) (\d+) ?(.*)$/.exec(rest) ?? [];
    t.api.sendLong(personOf(t, who), personOf(t, who), [words, ...pastedCodes(t, Number(count))].join(' '));
  },
  /** `* pieces owner 101 2`: so many messages of so many codes each, at once. */
  pieces: (t: Stage, rest: string) => {
    const [who = '', messages, count] = rest.split(' ');
    for (let n = 0; n < Number(messages); n += 1)
      t.api.send(personOf(t, who), personOf(t, who), pastedCodes(t, Number(count)).join('\n'));
  },
  /**
   * `* meets deleteMessages 400 Bad Request: no`: what Telegram answers to the next such call; `* meets 2 …` to so many;
   * `* meets sendMessage cutAfter`: a fault by its name.
   */
  meets: (t: Stage, rest: string) => {
    const [, times = '1', method = '', code, what = ''] =
      /^(?:(\d+) )?(\w+) (?:(\d{3}) )?(.*)$/.exec(rest) ?? [];
    const fault: Fault | undefined =
      code === undefined
        ? FAULTS[what as keyof typeof FAULTS]
        : { kind: 'error', code: Number(code), description: what };
    if (!fault) throw new Error(`There is no fault of this name: ${what}`);
    t.api.faults.next(method, fault, Number(times));
  },
  /** `* sheet owner price.xlsx 60S1,60 60S2,325`: they send a spreadsheet of these rows of cells. */
  sheet: (t: Stage, rest: string) => {
    const [who = '', name = '', ...rows] = rest.split(' ');
    const sheets = [
      { name: 'About', rows: [['Price list']] },
      { name: 'Codes', rows: rows.map((row) => row.split(',')) },
    ];
    const person = personOf(t, who);
    t.api.send(person, person, { document: { name, bytes: makeXlsx(sheets) } });
  },
  /** `* accounts 9`: so many more, without an owner. */
  accounts: async (t: Stage, count: string) => {
    for (let n = 1; n <= Number(count); n += 1)
      await t.app().core.accounts.create({ kind: 'host', by: 'cli' }, { name: `Shop ${n}`, days: n });
  },
  /** `* members 9 operator`: so many more in the account. */
  members: (t: Stage, rest: string) => {
    const [count, role] = rest.split(' ');
    const sql = `insert into members (telegram_id, account_id, role, name, joined_at)
      values (?, ?, ?, ?, 0)`;
    const before = numberedMembers.get(t) ?? 0;
    numberedMembers.set(t, before + Number(count));
    for (let n = before + 1; n <= before + Number(count); n += 1)
      write(t, sql, 5000 + n, t.accountId, role, `Person ${n}`);
  },
  /** `* moves admin`: they left, and have joined another account, as whom they were; `* moves admin owner` as this. */
  moves: async (t: Stage, rest: string) => {
    const [who = '', role = null] = rest.split(' ');
    const by = { kind: 'host', by: 'cli' } as const;
    const { accountId } = await t.app().core.accounts.create(by, { name: 'Other shop', days: 30 });
    const sql = 'update members set account_id = ?, role = coalesce(?, role) where telegram_id = ?';
    write(t, sql, accountId, role, idOf(t, who));
  },
  /** `* joins host support`: somebody who was in no account is in this one. */
  joins: (t: Stage, rest: string) => {
    const [who = '', role] = rest.split(' ');
    const sql = 'insert into members (telegram_id, account_id, role, name, joined_at) values (?, ?, ?, ?, 0)';
    write(t, sql, idOf(t, who), t.accountId, role, who);
  },
  /** `* keys 8`: so many more keys, without a name. */
  keys: async (t: Stage, count: string) => {
    for (let n = 0; n < Number(count); n += 1) await t.app().core.apiKeys.issue(t.actors.owner);
  },
  /** `* hook https://93.184.215.14/hook`: the program registers an address for low stock by its key. */
  hook: (t: Stage, url: string) => t.app().core.webhooks.add(t.app().actor, { url, events: ['stock.low'] }),
  /** `* seconds 5`: so much goes by, the calendar standing still. */
  seconds: (t: Stage, count: string) => t.pass(Number(count) * 1_000),
  /** `* redelivered`: Telegram delivers whatever people did once more. */
  redelivered: (t: Stage) => {
    for (const update of t.api.updates()) t.api.redeliver(update.update_id);
  },
  restart: (t: Stage) => t.restart(),
  /** `* again`: the process ends, and Telegram delivers the newest update once more. */
  again: async (t: Stage) => {
    const newest = t.api.updates().findLast((each) => !('pre_checkout_query' in each))?.update_id ?? 0;
    await t.restart(() => t.api.redeliver(newest));
    const before = t.api.calls('answerCallbackQuery').length;
    await t.quiet();
    const answers = t.api.calls('answerCallbackQuery').slice(before);
    const told = answers.flatMap(({ payload: { text } }) => (typeof text === 'string' ? [text] : []));
    return told.length === 0 ? undefined : `(alert) ${told.join(' ')}`;
  },
  /** `* quiet`: what goes on by itself comes to its end. */
  quiet: (t: Stage) => t.quiet(),
};

/** Half a day before the noon at which a chat begins, and a second. */
const MIDNIGHT_AGO = Date.UTC(2026, 0, 13) - 1_000;

const PICTURE = new Uint8Array([1]);

const numbered = new WeakMap<Stage, number>();
const albums = new WeakMap<Stage, number>();
const numberedMembers = new WeakMap<Stage, number>();

const LINK = /https:\/\/t\.me\/\w+\?start=[\w-]+/g;

/** Of a line: by role, or `host`, or `stranger`. */
export function personOf(t: Stage, who: string): User {
  return who === 'host' ? t.host : who === 'stranger' ? t.stranger : t.people[who as Role];
}

/** Of no denomination that can be read from them. */
function pastedCodes(t: Stage, count: number): string[] {
  const before = numbered.get(t) ?? 1;
  numbered.set(t, before + count);
  return Array.from({ length: count }, (_, n) => code(0, before + n));
}

const idOf = (t: Stage, who: string) => Number(who) || personOf(t, who).id;

/** As another process would. */
const write = (t: Stage, sql: string, ...values: unknown[]): void =>
  inFile(t, (file) => void file.prepare(sql).run(...values));

/** Whatever it leads to, or nowhere. */
export const writeFreely = (t: Stage, sql: string): void =>
  inFile(t, (file) => {
    file.pragma('foreign_keys = off');
    file.prepare(sql).run();
  });

function inFile(t: Stage, work: (file: Database.Database) => void): void {
  const file = new Database(t.app().databasePath);
  work(file);
  file.close();
}

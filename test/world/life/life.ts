// One scripted life of a shop that uses every verb once. A new verb is one line here: the loops (sweep.ts) kill it after
// each of its commits, fail each of its statements, and whatever it calls. A verb goes on until whoever asked has their
// answer, and says what must be so then.
import type { SeenMessage } from '../../telegram/types.ts';
import type { Manners } from '../machine/platform.ts';
import { GAME, type Person, type Shop } from './shop.ts';

type Verb = (shop: Shop) => Promise<void>;

const says = (pattern: RegExp) => (message: SeenMessage) => pattern.test(message.text);
const has = (label: RegExp) => (message: SeenMessage) => message.buttons.some(({ text }) => label.test(text));

/** What the platform did not carry out, as where a kill came before it was asked, is ordered once more. */
const redeems =
  (order: (s: Shop) => object, codes = 1): Verb =>
  async (s) => {
    const wish = { gameId: GAME, playerId: s.player(codes), requireReceipt: true, ...order(s) };
    for (let tries = 1; ; tries += 1) {
      const key = s.fresh('wish');
      const { status, json } = await s.program('/redeem', wish, key);
      const again = await s.program('/redeem', wish, key);
      // What cost nothing is free again under its key.
      must(status !== 200 || again.json.id === json.id, `${key} is ${json.id}, and then ${again.json.id}`);
      if (codes === 0 || status === 200 || again.status === 200) return;
      must(tries < MOST_TRIES, `the wish is answered ${status} ${JSON.stringify(json)}`);
    }
  };
const MOST_TRIES = 3;
const OPEN_OF = "select 1 from redemptions where player_id = ? and state in ('pending', 'in_doubt')";
const ofStock = () => ({ denomination: 60 });

const meets =
  (way: keyof Manners): Verb =>
  (s) => {
    s.meets(way);
    return redeems(ofStock)(s);
  };

/** The same in the chat, until they have as many. */
async function orders(s: Shop, person: Person, codes: number): Promise<void> {
  const player = s.player(codes);
  const redeemed = () =>
    s.books("select 1 from redemptions where player_id = ? and state = 'redeemed'", player).length;
  for (let tries = 0; redeemed() < codes; tries += 1) {
    must(tries < MOST_TRIES, `${redeemed()} of ${codes} are redeemed`);
    const left = codes - redeemed();
    const wish = `${player} 60${left > 1 ? ` x${left}` : ''}`;
    const card = await person.asks(wish, (each) => has(REDEEM)(each) || UNNAMED.test(each.text));
    if (!has(REDEEM)(card)) continue;
    await person.presses(card, /^Redeem/, (each) => ENDED.test(each.text) && each.text.includes(player));
    await s.until(
      () => s.books("select 1 from redemptions where state in ('pending', 'in_doubt')").length === 0,
      'ends',
    );
  }
}
const REDEEM = /^Redeem( again)?$/;
/** Said where the platform cannot be asked who that is. */
const UNNAMED = /does not tell me the name right now/;
const ENDED = /(Redeemed|Not redeemed) · receipt \d+|All \d redeemed|Stopped: \d of/;

async function adds(s: Shop, count: number): Promise<SeenMessage> {
  const codes = s.mint(325, count);
  const preview = await s.owner.asks(
    `/add_codes 325\n${codes.join('\n')}`,
    has(new RegExp(`^Add ${count} code`)),
  );
  return s.owner.presses(preview, /^Add \d/, says(new RegExp(`^Batch \\d+: ${count} codes? added`)));
}

const NO_INVOICE = /did not accept this invoice/;

async function buys(s: Shop, command: string): Promise<string> {
  const invoice = await s.owner.asks(
    command,
    (each) => each.invoice !== undefined || NO_INVOICE.test(each.text),
  );
  for (;;) {
    if (!invoice.invoice) return buys(s, command);
    const paid = await s.telegram.api.pay(s.owner.user, invoice);
    // Telegram gives the bot ten seconds.
    if (!paid.ok) continue;
    s.charges.set(paid.chargeId, 'paid');
    await s.owner.sees(({ id, text }) => id > invoice.id && /Thank you! Paid/.test(text));
    s.telegram.api.redeliver(paid.updateId ?? 0);
    return paid.chargeId;
  }
}

const SENDS = /^Send \d+ ⭐ back$/;

export const LIFE: Record<string, Verb> = {
  async 'a program adds codes'(s) {
    const codes = s.mint(325, 3);
    const { status } = await s.program(`/db?gameId=${GAME}`, [{ denomination: 325, codes }]);
    must(status === 200, `adding is answered ${status}`);
    must(s.books('select 1 from codes where denomination = 325').length >= 3, 'what was added is not there');
  },
  'a program redeems of the stock': redeems(ofStock),
  async 'a program redeems once, without a key'(s) {
    const playerId = s.player(1);
    const answer = await s.sends('/redeem', { gameId: GAME, playerId, denomination: 60 });
    const spent = () => [...s.platform.spent.values()].filter((each) => each.playerId === playerId).length;
    if (answer && answer.json?.id === undefined) {
      // Answered as if nothing had begun.
      s.players.set(playerId, 0);
      must(
        s.books('select 1 from redemptions where player_id = ?', playerId).length === 0,
        'something has begun',
      );
    } else if (answer?.status !== 200) {
      await s.until(() => s.books(OPEN_OF, playerId).length === 0, 'it ends');
      s.players.set(playerId, Math.min(1, spent()));
    }
  },
  'a program redeems a code of its own': redeems((s) => ({ codeOverride: s.mint(60, 1)[0] })),
  'a program redeems a used code': redeems((s) => ({ codeOverride: s.usedCode() }), 0),
  'the answer of the platform is lost': meets('hidesSuccess'),
  'the order to the platform is lost': meets('hidesFailure'),
  'the answer of the platform cannot be read': meets('garbles'),
  'the platform redeems late': meets('redeemsLate'),
  async 'a program looks a player up'(s) {
    const { status } = await s.program(`/character?gameId=${GAME}&playerId=${s.player(0)}`);
    must(status === 200, `the look-up is answered ${status}`);
  },
  async 'a program takes codes out'(s) {
    const key = s.fresh('take');
    const wish = { denomination: 60, amount: 2 };
    const { json } = await s.program(`/db/extract?gameId=${GAME}`, wish, key);
    handOut(s, key, Object.values(json as string[]));
    const again = await s.program(`/db/extract?gameId=${GAME}`, wish, key);
    must(
      JSON.stringify(again.json) === JSON.stringify(json),
      `${key} takes out ${JSON.stringify(again.json)}`,
    );
  },
  async 'a program orders three'(s) {
    const order = { gameId: GAME, playerId: s.player(3), items: [{ denomination: 60, count: 3 }] };
    const { json } = await s.program('/orders', order, s.fresh('order'));
    await endsAs(s, json.id as string, 'done');
  },
  async 'a link is sold, and used'(s) {
    const wish = { gameId: GAME, denomination: 60, count: 2 };
    const { status, json } = await s.program('/claims', wish, s.fresh('links'));
    must(status < 300, `links are answered ${status} ${JSON.stringify(json)}`);
    const [used, other] = json.claims as { id: string; url: string }[];
    const { pathname } = new URL(used?.url ?? '');
    const playerId = s.player(1);
    const asking = await s.browses(pathname, { playerId });
    const nonce = /name="nonce" value="([\w-]+)"/.exec(asking)?.[1];
    must(nonce !== undefined, `the page does not ask who it is: ${asking}`);
    await s.browses(pathname, { nonce: nonce ?? '' });
    const state = () =>
      s.books<{ state: string }>('select state from claims where name = ?', used?.id)[0]?.state;
    await s.until(() => state() === 'settled', `${used?.id} is settled`);
    await s.program(`/claims/${other?.id}/revoke`, {});
    must(/Done/.test(await s.browses(pathname)), 'the page does not show that it is done');
  },
  async 'links are made in the chat, and revoked'(s) {
    await s.program(`/db?gameId=${GAME}`, [{ denomination: 325, codes: s.mint(325, 22) }]);
    const question = await s.owner.asks('/links 325 22', has(/^Make 22 links$/));
    const file = await s.owner.presses(question, 'Make 22 links', ({ document }) => document !== undefined);
    const links = new Set(file.document?.bytes.toString().match(/\/c\/[\w-]{22}(?=\n)/g));
    must(links.size === 22, `the file has ${links.size} links`);
    const asked = await s.owner.presses(file, 'Revoke the unused', has(/^Revoke 22$/));
    await s.owner.presses(asked, 'Revoke 22', says(/^22 links are revoked/));
    const pages = await Promise.all([...links].map((link) => s.browses(link)));
    must(!pages.some((page) => page.includes('playerId')), 'a link that was revoked asks for a player');
  },
  async 'a link that is stuck is redeemed in the chat'(s) {
    const reference = s.fresh('stuck');
    const wish = { gameId: GAME, denomination: 60, count: 1, reference };
    const { json } = await s.program('/claims', wish, s.fresh('links'));
    const [{ id, url }] = json.claims as [{ id: string; url: string }];
    const state = () => s.books<{ state: string }>('select state from claims where name = ?', id)[0]?.state;
    // A look-up that a kill has ended counts, and nobody is told of it.
    for (let n = 1; state() === 'open'; n += 1) {
      must(n < 9, `${id} is open after ${n} look-ups`);
      await s.browses(new URL(url).pathname, { playerId: `4045123000${n}` });
      if (n % 3 === 0) await s.time.sleep(LOOKS_AGAIN_MS);
    }
    const notice = await s.owner.sees(({ text }) => text.includes(`(${reference})`));
    await s.owner.presses(notice, 'Set the ID', says(/^Send the player ID/));
    const playerId = s.player(1);
    for (let tries = 0; state() === 'stuck'; tries += 1) {
      must(tries < MOST_TRIES, 'nobody is named');
      const question = await s.owner.asks(playerId, (each) => has(REDEEM)(each) || UNNAMED.test(each.text));
      if (has(REDEEM)(question)) await s.owner.presses(question, 'Redeem', says(/Redeemed for|redeemed/));
    }
    await s.until(() => state() === 'settled', `${id} is settled`);
  },
  async 'an order waits for codes, and goes on'(s) {
    const id = await waits(s, 2);
    await s.program(`/db?gameId=${GAME}`, [{ denomination: 660, codes: s.mint(660, 2) }]);
    await endsAs(s, id, 'done');
  },
  async 'an order that waits is cancelled'(s) {
    const id = await waits(s, 0);
    await s.program(`/orders/${id}/cancel`, {});
    await endsAs(s, id, 'cancelled');
  },
  async 'an order stops at its deadline, and is resumed'(s) {
    const id = await waits(s, 2, { deadline: new Date(s.time.clock.now() + DEADLINE_MS).toISOString() });
    await endsAs(s, id, 'stopped');
    await s.program(`/db?gameId=${GAME}`, [{ denomination: 660, codes: s.mint(660, 2) }]);
    const { json } = await s.program(`/orders/${id}/resume`, {}, s.fresh('resume'));
    await endsAs(s, json.id as string, 'done');
  },
  async 'a stranger opens an account'(s) {
    const stranger = s.stranger();
    await stranger.asks('/start', says(/you are the owner/));
    const rows = s.books('select 1 from members where telegram_id = ?', stranger.user.id);
    must(rows.length === 1, `they are in ${rows.length} accounts`);
  },
  'a code is redeemed in the chat': (s) => orders(s, s.owner, 1),
  'three are redeemed in the chat': (s) => orders(s, s.owner, 3),
  async 'codes are pasted, and undone'(s) {
    // In two messages, as Telegram cuts it.
    const added = await adds(s, 260);
    const batch = Number(/^Batch (\d+)/.exec(added.text)?.[1]);
    await s.owner.presses(added, 'Undo', says(new RegExp(`Batch ${batch} is undone`)));
    const left = s.books("select 1 from codes where batch_id = ? and state <> 'undone'", batch);
    must(left.length === 0, `${left.length} codes of the batch are left`);
  },
  async 'codes are taken out in the chat'(s) {
    const question = await s.owner.asks('/extract_codes 60 2', has(/^Take out 2$/));
    const file = await s.owner.presses(question, 'Take out 2', ({ document }) => document !== undefined);
    const codes = file.document?.bytes.toString().match(/60S\w+/g) ?? [];
    must(codes.length === 2, `the file has ${codes.length} codes`);
    handOut(s, `message ${file.id}`, codes);
  },
  async 'activations are bought, and told of twice'(s) {
    await buys(s, '/buy_activations 1');
  },
  async 'a subscription is bought'(s) {
    await buys(s, '/subscribe');
  },
  async 'Telegram gives a payment back'(s) {
    const charge = await buys(s, '/buy_activations 1');
    s.telegram.api.refund(charge);
    s.charges.set(charge, 'given back');
  },
  async 'the host sends a payment back'(s) {
    const charge = await buys(s, '/buy_activations 1');
    for (let tries = 0; ; tries += 1) {
      const question = await s.host.asks(
        `/refund ${charge}`,
        (each) => has(SENDS)(each) || says(/was sent back before/)(each),
      );
      s.charges.set(charge, 'given back');
      if (!has(SENDS)(question)) return;
      const answer = await s.host.presses(question, SENDS, says(/back|again/));
      if (!/^Telegram did not/.test(answer.text)) return;
      must(tries < MOST_TRIES, answer.text);
    }
  },
  async 'the host gives days'(s) {
    const before = s.books('select 1 from purchases where currency = ?', 'host').length;
    const question = await s.host.asks(`/grant ${s.accountId} 7`, has(/^Give 7 days$/));
    await s.host.presses(question, 'Give 7 days', says(/^Done: /));
    must(s.books('select 1 from purchases where currency = ?', 'host').length <= before + 1, 'given twice');
  },
  async 'a key is made, and revoked'(s) {
    const name = s.fresh('key');
    const list = await s.owner.asks('/api_key', has(/^New key$/));
    const question = await s.owner.presses(list, 'New key', has(/^Make the key$/));
    // Not the list, which may come once more.
    const made = await s.owner.presses(question, 'Make the key', says(/^The key crs_.* is made/));
    const warned = await s.owner.presses(made, /^Revoke crs_/, has(/^Revoke$/));
    await s.owner.presses(warned, 'Revoke', says(/revoked/));
    must(name !== '', name);
  },
  async 'somebody is invited, and joins'(s) {
    const stranger = s.stranger();
    const invited = await s.owner.asks('/invite support', says(/^Invitation to/));
    s.telegram.api.open(stranger.user, /https:\/\/t\.me\/\w+\?start=[\w-]+/.exec(invited.html)?.[0] ?? '');
    await stranger.sees(says(/Your role: support/));
    const rows = s.books('select 1 from members where telegram_id = ?', stranger.user.id);
    must(rows.length === 1, `they are a member ${rows.length} times`);
  },
  async 'another owner is invited, and the owner is there'(s) {
    const last = s.telegram.api.messages(s.owner.user).at(-1)?.id ?? 0;
    const card = await s.host.asks(`/accounts ${s.accountId}`, has(/^Another owner$/));
    const warned = await s.host.presses(card, 'Another owner', has(/^I know what this means$/));
    const asked = await s.host.presses(warned, 'I know what this means', says(/Once more/));
    await s.host.presses(asked, 'Another owner', says(/^Invitation to own/));
    // Not one of before, whose answer stands behind it.
    const told = await s.owner.sees((each) => each.id > last && has(/^I am here$/)(each));
    await s.owner.presses(told, 'I am here', says(/^You stay the owner/));
    const open = s.books(
      'select 1 from invitations where replaces is not null and expires_at > ?',
      s.time.clock.now(),
    );
    must(open.length === 0, `${open.length} links for another owner are left`);
  },
  async 'a threshold is set'(s) {
    await s.owner.asks('/settings 325 2', says(/^Saved: /));
  },
  async 'an address is registered, and removed'(s) {
    const url = `https://93.184.216.34${s.fresh('/hook')}`;
    await s.program('/webhooks', { url, events: ['order.settled'] });
    const list = async () =>
      ((await s.program('/webhooks')).json as { id: number; url: string }[]).filter((one) => one.url === url);
    const [registered, ...others] = await list();
    must(registered !== undefined && others.length === 0, `${url} is registered ${others.length + 1} times`);
    await s.program(`DELETE /webhooks/${registered?.id}`);
    must((await list()).length === 0, `${url} is not removed`);
  },
};

const stateOf = (s: Shop, id: string) =>
  s.books<{ state: string }>('select state from orders where name = ?', id)[0]?.state;

const endsAs = (s: Shop, id: string, state: string) =>
  s.until(() => stateOf(s, id) === state, `${id} is ${state}, it is ${stateOf(s, id)}`);

const DEADLINE_MS = 30_000;
/** Before that a link makes no more of them. */
const LOOKS_AGAIN_MS = 10 * 60_000;

async function waits(s: Shop, codes: number, terms = {}): Promise<string> {
  const items = [{ denomination: 660, count: 2 }];
  const order = { gameId: GAME, playerId: s.player(codes), items, onShortage: 'wait', ...terms };
  const { json } = await s.program('/orders', order, s.fresh('order'));
  await endsAs(s, json.id as string, 'waiting');
  return json.id as string;
}

function handOut(s: Shop, by: string, codes: readonly string[]): void {
  for (const code of codes) {
    must(
      (s.handedOut.get(code) ?? by) === by,
      `${code} was handed out by ${s.handedOut.get(code)} and by ${by}`,
    );
    s.handedOut.set(code, by);
  }
}

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

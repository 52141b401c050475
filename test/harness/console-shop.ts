// A shop that has everything the console shows: receipts of every outcome, orders, batches, a bad code, keys, webhooks,
// a log; called as the worst of people call things, and with codes and logins that can be searched for.
import type { MemberActor } from '../../src/core/index.ts';
import { openTestAccount, type TestAccount } from './accounts.ts';
import { openTestCore, type TestCore } from './core.ts';

/** Out of a tag, an attribute, a script, a line, a cell; each would leave `x-evil` or `onevil` as markup. */
export const HOSTILE = [
  `=HYPERLINK("http://evil.invalid")<x-evil>"onevil="1" 'onevil='1' &lt;x-evil&gt;`,
  '\u202e@evil\u2067 </td></textarea></title><x-evil> { $x }\r\n\tset-cookie: x-evil',
] as const;
/** What nobody sees of a name but the text around it. */
export const TURNS_TEXT = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const GAME = 'game_id_1';

export interface ConsoleShop extends TestAccount {
  /** Each is told to nobody but who asks for it and may, just after entering. */
  secrets: string[];
}

/** A core that takes the address of any webhook for one that can be told something. */
export async function openConsoleCore(): Promise<TestCore> {
  const t = await openTestCore();
  return {
    ...t,
    core: t.restart({
      checkWebhookAddress: (url) =>
        Promise.resolve(URL.canParse(url) ? { url } : ({ flaw: 'notAnAddress' } as const)),
    }),
  };
}

export async function openConsoleShop(t: TestCore, called: string = HOSTILE[0]): Promise<ConsoleShop> {
  const shop = await openTestAccount(t.store);
  const { accountId, members } = shop;
  const { owner, operator } = members;
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId, days: 30, purchased: 90 });
  await t.core.accounts.rename(owner, accountId, called.replaceAll(/\s/g, ' ').slice(0, 60));
  for (const { telegramId } of Object.values(members))
    await t.core.members.saveName({ telegramId, name: called, username: called });
  const secrets: string[] = [];
  const canary = () => {
    secrets.push(`60SCANARY${String(secrets.length).padStart(4, '0')}${String(accountId).padStart(3, '0')}`);
    return secrets.at(-1)!;
  };
  await stock(t, operator, { codes: Array.from({ length: 6 }, canary), supplier: called });
  const undone = await stock(t, owner, { codes: [canary()], supplier: called });
  await t.core.imports.undo(owner, undone);
  // Still open, with a line that nobody understands.
  await paste(t, operator, `60 UC ${canary()}\n${called}`);
  await redeemEverything(t, members, { canary, secrets, called });
  secrets.push(...(await giveLinks(t, owner, called)));
  secrets.push(...(await issue(t, owner, called)));
  return { ...shop, secrets };
}

async function paste(t: TestCore, actor: MemberActor, text: string): Promise<number> {
  const id = await t.core.imports.begin(actor, { gameId: GAME });
  await t.core.imports.addPiece(actor, id, { key: 'one', position: 0, kind: 'message', text });
  return id;
}

async function stock(t: TestCore, actor: MemberActor, order: { codes: string[]; supplier: string }) {
  const id = await paste(t, actor, order.codes.map((code) => `60 UC ${code}`).join('\n'));
  await t.core.imports.setSupplier(actor, id, order.supplier.slice(0, 40));
  return (await t.core.imports.commit(actor, id))?.batchId ?? 0;
}

async function redeemEverything(
  t: TestCore,
  { owner, operator }: TestAccount['members'],
  { canary, secrets, called }: { canary(): string; secrets: string[]; called: string },
): Promise<void> {
  const { script } = t.platform;
  const redeem = (playerId: string) => t.core.redeem(operator, { gameId: GAME, playerId, denomination: 60 });
  const login = { email: `canary-mail-${secrets.length}@shop.example`, password: `canary-password` };
  secrets.push(login.email, login.password);
  script.redeem = () => ({
    status: 'redeemed',
    receipt: { openid: 'o', name: called, region: called, productName: called, amount: 60, ...login },
  });
  await redeem('5170925570');
  await t.core.redeem(owner, { gameId: GAME, playerId: called.slice(0, 60), code: canary() });
  const message = called;
  for (const errorCode of ['CODE_USED', 'CHARACTER_NOT_FOUND'] as const) {
    script.redeem = () => ({ status: 'refused', errorCode, message, asked: true });
    await redeem('5170925571');
  }
  script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message });
  await redeem('5170925572');
  await t.core.orders.place(owner, {
    ...{ gameId: GAME, playerId: '5170925573', reference: called, onShortage: 'wait', onBadCode: 'replace' },
    ...{ items: [{ denomination: 325, count: 2 }], idempotencyKey: { scope: 'http', key: 'one' } },
  });
}

/** Two of what is left, of which one is stuck: what they end in. */
async function giveLinks(t: TestCore, owner: MemberActor, called: string): Promise<string[]> {
  const answer = await t.core.claims.issue(owner, {
    ...{ gameId: GAME, denomination: 60, count: 2, reference: called.slice(0, 60) },
    idempotencyKey: { scope: 'http', key: 'links' },
  });
  if (answer.status !== 'issued') throw new Error(answer.status);
  await t.store.write(({ claims }) => claims.stick(claims.findByName(answer.claims[0]!.id)!.id, 'lookUps'));
  return answer.claims.map(({ token }) => token);
}

/** A key and an address, with their secrets. */
async function issue(t: TestCore, owner: MemberActor, called: string): Promise<string[]> {
  const key = await t.core.apiKeys.issueOrdered(owner, 'page:one', undefined, called);
  const url = `https://hooks.example/?x=${encodeURIComponent(called)}`;
  const hook = await t.core.webhooks.add(owner, { url, events: ['stock.low'] });
  if (key.status !== 'issued' || hook.status !== 'added') throw new Error(`${key.status} ${hook.status}`);
  await t.core.webhooks.test(owner, hook.webhook.id);
  await t.core.receiptList.orderFull(owner, { filter: `name=${called}`, reason: called });
  return [key.key, hook.secret.slice('whsec_'.length)];
}

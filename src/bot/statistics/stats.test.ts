// /stats, /export and /quota in the chat: pictures, documents and bars, and who gets them.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { readSpreadsheet } from '../../../test/harness/spreadsheet.ts';
import { ROLES, type Role } from '../../core/index.ts';
import { FAULTS } from '../../../test/telegram/faults.ts';
import { drawBar } from '../billing/quota.ts';

const GAME = 'game_id_1';
let t: Stage;
let person: (role: Role) => Person;
beforeEach(async () => {
  t = await openStage({ purchased: 50 });
  person = (role) => personOf(t.api, t.people[role]);
});
afterEach(() => t.stop());

async function redeem(count: number, playerId = '5170925570'): Promise<string[]> {
  const codes = Array.from({ length: count }, () => makeCode());
  const { core, actor } = t.app();
  await core.codes.add(actor, GAME, [{ denomination: 60, codes }]);
  for (let n = 0; n < count; n += 1) await core.redeem(actor, { gameId: GAME, playerId, denomination: 60 });
  return codes;
}
const documentOf = (role: Role, caption: string, kind = '.xlsx') =>
  person(role)
    .sees((message) => message.document?.name.endsWith(kind) === true && message.text.includes(caption))
    .then(({ document }) => {
      const { name, bytes } = document!;
      return {
        name,
        text: name.endsWith('.xlsx') ? readSpreadsheet(bytes).join('\n') : Buffer.from(bytes).toString(),
      };
    });

describe('/stats', () => {
  test('is a picture, and its figures as text, by command, with days, and by its buttons', async () => {
    await redeem(2);
    await t.app().core.redeem(t.app().actor, { gameId: GAME, playerId: '5170925570', denomination: 325 });
    const admin = person('admin');
    admin.says('/stats');
    const shown = await admin.sees((message) => message.photo !== undefined, 20_000);
    expect(Buffer.from(shown.photo!.bytes).subarray(1, 4).toString()).toBe('PNG');
    expect(shown.text).toBe('Success rate: 66 %');
    await admin.presses('Figures as text');
    const { text } = await admin.sees('The last 7 days');
    expect(text).toContain('redeemed: 2 · ❌ failed: 1');
    expect(text).toMatch(/60 UC: ✅ 2\n325 UC: ✅ 0 · ❌ 1/);
    const pictures = () => admin.all().filter((message) => message.photo !== undefined).length;
    await admin.presses('30 days');
    await admin.sees(() => pictures() === 2);
    admin.says('/stats 1');
    await admin.sees(() => pictures() === 3);
    await admin.presses('Figures as text');
    await admin.sees('Today');
    admin.says('/stats 91');
    await admin.sees('from 1 to 90');
  });

  test('comes in its turn, drawn again, where Telegram did not take it at first', async () => {
    const admin = person('admin');
    const order = t.api.faults.next('sendPhoto', FAULTS.badGateway, 1);
    admin.looksAway();
    admin.says('/stats');
    admin.says('/help');
    await admin.sees((message) => message.photo !== undefined, 20_000);
    await admin.sees('Every day');
    expect(order.met()).toBe(1);
    const [picture, help] = admin.all().slice(-2);
    expect(picture?.photo).toBeDefined();
    expect(help?.text).toContain('Every day');
    expect(admin.all().some(({ text }) => text.includes('Something went wrong'))).toBe(false);
  });

  test('refused as a picture is the figures alone, with the buttons', async () => {
    const admin = person('admin');
    t.api.faults.next('sendPhoto', FAULTS.refused, 1);
    admin.says('/stats 30');
    const shown = await admin.sees('Nothing was redeemed in this time', 20_000);
    expect(shown.photo).toBeUndefined();
    const labels = shown.buttons.map(({ text }) => text);
    expect(labels.filter((label) => label.endsWith('days'))).toEqual(['7 days', '30 days', '90 days']);
  });

  test('of an account without redemptions says so under the picture', async () => {
    person('owner').says('/stats');
    await person('owner').sees((message) => message.photo !== undefined, 20_000);
    await person('owner').sees('Nothing was redeemed in this time');
  });
});

describe('/export', () => {
  test('is a document without codes and credentials, asked for in three ways', async () => {
    const [code] = await redeem(1);
    const admin = person('admin');
    admin.says('/export 7');
    const { name, text } = await documentOf('admin', '1 receipt');
    expect(name).toMatch(/^receipts-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.xlsx$/);
    expect(text).toMatch(/^Receipt,When \(UTC\),/);
    admin.looksAway();
    admin.says('/export 7 csv');
    const csv = await documentOf('admin', '1 receipt', '.csv');
    expect(csv.text).toMatch(/^\ufeffreceiptId,/);
    for (const file of [text, csv.text]) {
      expect(file).toContain(code!.slice(-6));
      expect(file).not.toContain(code);
      expect(file.toLowerCase()).not.toContain('password');
    }
    admin.looksAway();
    admin.says('/export');
    await admin.sees('Of how many days');
    await admin.presses('30 days');
    await documentOf('admin', '1 receipt');
    admin.says('/export ten');
    await admin.sees('from 1 to 366');
  });

  test('holds codes and credentials once an owner confirmed it, and once only', async () => {
    const [code] = await redeem(1);
    const owner = person('owner');
    owner.says('/export 7 full');
    const asked = await owner.sees('Shall I make it?');
    expect(owner.all().some((message) => message.document)).toBe(false);
    await owner.presses('Make the file');
    const { text } = await documentOf('owner', 'Delete this message');
    const id = 1;
    const receipt = t.app().core.receipts.find(t.actors.owner, id);
    expect(text).toContain(code);
    expect(text).toContain(receipt!.credentials!.password);
    const again = await t.api.press(t.people.owner, asked, 'Make the file');
    expect(again?.text).toMatch(/already used/);
    expect(owner.all().filter((message) => message.document)).toHaveLength(1);
  });

  test('is refused in full to an admin, also to one who was the owner, and altogether to the others', async () => {
    await redeem(1);
    const owner = person('owner');
    owner.says('/export 7 full');
    await owner.sees('Shall I make it?');
    person('admin').says('/export 7 full');
    await person('admin').sees('Only the owner');
    const store = t.beside();
    const change = {
      accountId: t.accountId,
      telegramId: owner.user.id,
      from: 'owner',
      role: 'admin',
      now: 0,
    };
    await store.write((tables) => tables.members.setRole(change));
    await store.close();
    expect((await owner.presses('Make the file'))?.text).toMatch(/Your role may not/);
    for (const role of ['operator', 'support'] as const) {
      person(role).looksAway();
      person(role).says('/export 7');
      await person(role).sees(/Only admins and the owner may/);
      person(role).looksAway();
      person(role).says('/stats');
      await person(role).sees(/Only admins and the owner may/);
    }
    for (const role of ROLES) {
      expect(
        person(role)
          .all()
          .some((message) => message.document ?? message.photo),
      ).toBe(false);
    }
  });

  test('of no receipts says so', async () => {
    person('owner').says('/export 1');
    await person('owner').sees('no receipts from today');
  });
});

describe('/quota', () => {
  test('tells what is used and left, when it comes back, what was bought, and the subscription', async () => {
    const operator = person('operator');
    operator.says('/quota');
    await operator.sees('Nothing was used in the last 24 hours');
    await redeem(3);
    operator.looksAway();
    operator.says('/quota');
    const { text } = await operator.sees('Used 3 of 300, left 297');
    expect(text).toMatch(/▰▱{11}/);
    expect(text).toMatch(/comes back in 2[34] h/);
    expect(text).toContain('Purchased activations left: 50');
    expect(text).toMatch(/Subscription until .* UTC, 30 days left/);
  });

  test('answers in a group', async () => {
    const group = t.api.createGroup({ title: 'Shop', members: [t.people.support], type: 'group' });
    const inGroup = person('support').inChat(group);
    inGroup.says('/quota');
    await inGroup.sees('Daily quota');
  });

  test('draws a bar that is empty for nothing and full for all only', () => {
    expect([0, 0.001, 0.5, 0.999, 1].map((share) => drawBar(share).replaceAll('▱', '').length)).toEqual([
      0, 1, 6, 11, 12,
    ]);
  });
});

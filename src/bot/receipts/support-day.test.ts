// Support's day, counted: what a customer says becomes the receipt with one message, and one tap is what the customer
// gets. In both languages.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import type { SeenMessage } from '../../../test/telegram/types.ts';

const PLAYER = '5170925570';
let t: Stage;
let support: Person;
let said: number;
let tapped: number;
beforeEach(async () => {
  t = await openStage();
  said = 0;
  tapped = 0;
  support = personOf(t.api, t.people.support);
});
afterEach(() => t.stop());

async function redeem(code: string, playerId = PLAYER): Promise<number> {
  const answer = await t.app().core.redeem(t.actors.operator, { gameId: 'game_id_2', playerId, code });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption.id;
}

/** A message that support types or forwards. */
function says(text: string): void {
  said += 1;
  support.looksAway();
  support.says(text);
}

/** A tap on a command in the list. */
function tapsReceipt({ text, entities }: SeenMessage): string {
  const commands = entities
    .filter(({ type }) => type === 'bot_command')
    .map(({ offset, length }) => text.slice(offset, offset + length));
  const command = commands.find((each) => each.startsWith('/receipt_'));
  if (command === undefined) throw new Error(`Nothing to tap in: ${text}`);
  tapped += 1;
  support.looksAway();
  support.says(command);
  return command;
}

async function speaks(language: string): Promise<void> {
  support.says(`/settings ${language}`);
  await support.sees(language === 'ru' ? 'Теперь я говорю' : 'I speak English');
}

describe.each([
  ['en', 'Redeemed · receipt', 'For the customer', 'Your top-up is done'],
  ['ru', 'Активировано · чек', 'Для клиента', 'Пополнение выполнено'],
] as const)('in %s', (language, receipt, button, forCustomer) => {
  test('what a customer says is a receipt after one message, and one tap more is for the customer', async () => {
    await speaks(language);
    const code = makeCode();
    const id = await redeem(code);
    await redeem(makeCode(), '5555512345');
    const dashed = `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`.toLowerCase();
    for (const text of [
      PLAYER,
      `ID: ${PLAYER}`,
      code,
      dashed,
      code.slice(-6).toLowerCase(),
      PLAYER.slice(0, 5),
      `#${id}`,
      `${id}`,
      `${language === 'ru' ? 'сегодня' : 'today'} ${PLAYER}`,
    ]) {
      [said, tapped] = [0, 0];
      says(text);
      expect((await support.sees(receipt)).text, text).toContain(`/receipt_${id}`);
    }
    await support.presses(button);
    tapped += 1;
    await support.sees(forCustomer);
    expect({ said, tapped }).toEqual({ said: 1, tapped: 1 });
  });
});

test('yesterday’s failures are one message, a day is a message and a tap further', async () => {
  await redeem(makeCode());
  says('today failed');
  await support.sees(/^Nothing failed on \d+ \w+\.$/);
  await support.presses('Failed, any day');
  await support.sees(/^Nothing failed\.$/);
  says('today');
  const day = await support.sees(/History, \d+ \w+ 20\d\d\. Times are UTC/);
  tapsReceipt(day);
  await support.sees('Redeemed · receipt');
  await speaks('ru');
  says('вчера');
  await support.sees(/активаций нет/);
  await support.presses(/›/);
  await support.sees(/История, \d+ [а-я]+ 20\d\d\. Время — UTC\./);
});

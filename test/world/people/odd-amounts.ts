// An operator whose customer paid for what no denomination has, or wrote it in another language's words: it is made of
// the denominations that there are, or stands in the answer as it was written. Never does it go without a word.
import { hasButton, REDEEM } from './phone.ts';
import type { World } from '../run/world.ts';
import { randomPlayer } from './client.ts';
import type { Self } from './index.ts';

const AMOUNTS = [720, 985, 385, 120, 61] as const;
const WORDED = '3 adet';

export async function orderOddAmount({ diary }: World, { phone, random, name }: Self): Promise<void> {
  const player = randomPlayer(random);
  const amount = random.chance(0.2) ? WORDED : String(random.pick(AMOUNTS));
  const text = amount === WORDED ? `${player} ${WORDED} 60 UC` : `${player} ${amount}`;
  const answer = await phone.ask(text, (message) => wordsOf(message).includes(player));
  if (!answer || !isAboutWhat(answer.text)) return;
  if (!wordsOf(answer).replaceAll(player, '').includes(amount))
    diary.amiss.push(`${name} wrote “${text}”, and ${amount} is gone from the answer: ${answer.text}`);
  if (!hasButton(REDEEM)(answer) || amount === WORDED) return;
  const [, what = ''] = /: (.+) from stock/.exec(answer.text) ?? [];
  const sum = [...what.matchAll(/(\d+) [^\s,]+(?: × (\d+))?/g)].reduce(
    (total, [, each, count]) => total + Number(each) * Number(count ?? 1),
    0,
  );
  if (sum !== Number(amount)) diary.amiss.push(`${name} wrote “${text}”, and is asked about ${what}`);
  else await phone.press(answer, REDEEM, { kind: 'several' });
}

const isAboutWhat = (text: string) => /Redeem this\?|What shall I redeem\?|Is this the player\?/.test(text);

const wordsOf = ({ text, buttons }: { text: string; buttons: readonly { text: string }[] }) =>
  [text, ...buttons.map((button) => button.text)].join('\n');

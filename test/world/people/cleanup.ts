// An admin who has what they pasted deleted afterwards: messages go whose codes are all added; one that holds anything
// else, a code with a slip of the pen in it too, stays. Nothing of a paste is unaccounted for: what was not read as a
// code is told in the preview.
import { hasButton, says } from './phone.ts';
import type { World } from '../run/world.ts';
import type { Self } from './index.ts';
import { listAgain } from './resent.ts';
import { ADD, beginImport, BROKEN, finishPaste, isPreview, noteUntold } from './pasting.ts';
import { countGone } from './meanwhile.ts';

const DELETE = 'Delete my paste';

export async function tidyUp(world: World, self: Self): Promise<void> {
  const { phone, random, shop, name } = self;
  const { diary, telegram } = world;
  const [known] = listAgain(world, self, 60).used;
  const broken = random.chance(0.4) ? random.pick(BROKEN) : undefined;
  const other = broken ?? known;
  if (other === undefined) return;
  const gone = countGone(world, [other]);
  if (!(await beginImport(self, '/add_codes 60', says(/Paste the codes/)))) return;
  const paste = async (codes: readonly string[]) => {
    await phone.ask(codes.join('\n'), isPreview);
    return diary.questions.findLast(({ user }) => user === phone.user)?.messageId ?? 0;
  };
  const whole = await paste(shop.mint(60, 2));
  const mixed = await paste([...shop.mint(60, 1), other]);
  const preview = await finishPaste(self);
  noteUntold(world, self, broken, preview);
  const result = await phone.sees((message) => message.id > mixed && hasButton(DELETE)(message), 10_000);
  if (!result || hasButton(ADD)(result)) return;
  await phone.press(result, DELETE);
  await phone.sees(says(/pasted messages? (?:was|were) deleted|No pasted message/), 10_000);
  const isGone = (id: number) =>
    telegram.api.messages(phone.user, 40).find((message) => message.id === id)?.deleted === true;
  // Where somebody took it back or out meanwhile it was added as a fresh one.
  if (isGone(mixed) && countGone(world, [other]) === gone)
    diary.notice(`${name} pasted ${other} with others, which was not added, and the message is deleted`);
  diary.note(`${name} tidied up: ${isGone(whole) ? 'gone' : 'still there'}`);
}

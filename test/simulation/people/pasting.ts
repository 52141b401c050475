// Pastes that end in a preview: a file with its denomination as a caption, codes that come after the preview was shown.
import type { SeenMessage } from '../../../src/playground/telegram/types.ts';
import { findButton, hasButton, says } from '../phone.ts';
import type { World } from '../world.ts';
import type { Self } from './index.ts';
import { DENOMINATIONS } from './shop.ts';

export const ADD = /^Add \d+ codes?$/;
const ADDED = /: (\d+) codes? added/;
/** No codes any more: mistyped, cut into groups, changed by a spreadsheet. */
export const BROKEN = [
  '60S1-2345',
  'k7Qz/2mXb/9tRw/4hNe',
  '60S: 2mXb: 9tRw: 4hNe',
  '60s1 | 2mxb | 9trw',
  '1.23457E+15',
];
/** A list is counted and shown a moment after it came. */
const SHOWN_MS = 10_000;
const LATE_MS = 5 * 60_000;
const OVER = /codes? added|More came/;

/** Whatever is asked about is not added. The preview as it stood, where it came. */
export async function finishPaste({ phone }: Pick<Self, 'phone'>): Promise<SeenMessage | undefined> {
  const which = phone.newest().findLast((message) => findButton(message, /^It’s in the text$/));
  if (which) await phone.press(which, /^It’s in the text$/);
  const status = await phone.sees(
    (message) => hasButton('Done')(message) || hasButton(ADD)(message),
    SHOWN_MS,
  );
  if (!status) return undefined;
  if (hasButton('Done')(status)) await phone.press(status, 'Done');
  const preview = await phone.sees(
    // The message that counts what came has Done, and Cancel too.
    (message) => !hasButton('Done')(message) && (hasButton(ADD)(message) || hasButton('Cancel')(message)),
    10_000,
  );
  if (!preview) return undefined;
  const isClear = hasButton(ADD)(preview) && !preview.text.includes('→ ?');
  await phone.press(preview, isClear ? ADD : 'Cancel', isClear ? { kind: 'add' } : undefined);
  return preview;
}

/** Nothing of a paste is unaccounted for: what was not read as a code stands in the preview. */
export function noteUntold(
  { diary }: World,
  name: string,
  broken: string | undefined,
  preview: SeenMessage | undefined,
): void {
  if (broken === undefined || !preview || OVER.test(preview.text)) return;
  if (!preview.text.includes(broken.slice(0, 3)))
    diary.amiss.push(`${name} pasted ${broken}, and nothing of it stands in the preview: ${preview.text}`);
}

/** What stands above a file goes before what was said first. */
export async function pasteWithCaption({ phone, random, shop }: Self): Promise<void> {
  const [first, of] = [random.pick(DENOMINATIONS), random.pick(DENOMINATIONS)];
  const asked = await phone.ask(`/add_codes ${first}`, says(/./));
  if (!asked) return;
  const bytes = Buffer.from(shop.mint(of, 2 + random.below(3)).join('\n'));
  const caption = random.pick([`${of}`, `${of}:`, `${of} UC`, `коды по ${of}`]);
  await phone.ask({ document: { name: 'codes.txt', bytes, caption } }, hasButton('Done'));
  await finishPaste({ phone });
}

/** More comes while the preview stands there: what is pressed under it adds no more than it showed. */
export async function addAfterMore(world: World, { phone, random, shop, name }: Self): Promise<void> {
  const denomination = random.pick(DENOMINATIONS);
  const began = world.time.clock.now();
  const listed = (count: number) => shop.mint(denomination, count).join('\n');
  const preview = await phone.ask(`/add_codes ${denomination} ${listed(2)}`, hasButton(ADD));
  if (!preview) return;
  await phone.ask(listed(2), says(/./));
  const [, shown] = /(\d+)/.exec(findButton(preview, ADD)?.text ?? '') ?? [];
  await phone.press(preview, ADD, { kind: 'add' });
  const result = await phone.sees(({ id, text }) => id >= preview.id && OVER.test(text), 5_000);
  const [, added] = ADDED.exec(result?.text ?? '') ?? [];
  // What came of an order before this one may be told in a message of its own, and late.
  const isFirst = !world.diary.taps.some(
    ({ user, kind, at, messageId }) =>
      user === phone.user && kind === 'add' && messageId !== preview.id && at > began - LATE_MS,
  );
  if (isFirst && added !== undefined && Number(added) > Number(shown))
    world.diary.amiss.push(`${name} was shown ${shown} codes to add, and ${added} were added`);
  if (random.chance(0.7)) await finishPaste({ phone });
}

/** Something else is begun and left again: what was pasted waits for its Done as before. */
export async function leaveSomethingElse(
  { diary, time }: World,
  { phone, random, shop, name }: Self,
): Promise<void> {
  const denomination = random.pick(DENOMINATIONS);
  const from = time.clock.now();
  const status = await phone.ask(
    `${denomination} UC\n${shop.mint(denomination, 3).join('\n')}`,
    hasButton('Done'),
  );
  if (!status || !(await phone.ask('/redeem', says(WHOM)))) return;
  const left = await phone.ask('/cancel', says(/./));
  // Where the process came to an end, or another began, it may have been left before.
  const isStruck = diary.struck.some(({ at }) => at > from - LATE_MS) || diary.restoredAt > from;
  if (left && DROPPED.test(left.text) && !isStruck)
    diary.amiss.push(`${name} left what they began beside a paste, and is told: ${left.text}`);
  await finishPaste({ phone });
}

const WHOM = /Which game|player/;
const DROPPED = /what you pasted is dropped/;

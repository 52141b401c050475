// Pastes that end in a preview: a file with its denomination as a caption, codes that come after the preview was shown.
import type { SeenMessage } from '../../telegram/types.ts';
import { findButton, hasButton, says } from './phone.ts';
import type { World } from '../run/world.ts';
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

/** Under the question about an import that is open. */
export const DROP = /^Drop (?:it|them)$/;

/** Begins an import; what is open from before is dropped. */
export async function beginImport(
  { phone }: Pick<Self, 'phone'>,
  content: Parameters<Self['phone']['ask']>[0],
  fits: (message: SeenMessage) => boolean,
): Promise<SeenMessage | undefined> {
  const isOther = hasButton(DROP);
  const asked = await phone.ask(content, (message) => isOther(message) || fits(message));
  if (!asked || !isOther(asked)) return asked;
  await phone.press(asked, DROP);
  return phone.sees((message) => message.id >= asked.id && fits(message), SHOWN_MS);
}

/** Another import while a preview stands: what is open is said, goes on with what came, or goes. */
export async function beginAnother(world: World, { phone, random, shop, name }: Self): Promise<void> {
  const denomination = random.pick(DENOMINATIONS);
  const paste = (count: number) => shop.mint(denomination, count).join('\n');
  if (!(await beginImport({ phone }, `/add_codes ${denomination}`, hasButton('Done')))) return;
  if (!(await phone.ask(paste(3), hasButton(ADD)))) return;
  const asked = await phone.ask(`/add_codes ${denomination} ${paste(2)}`, says(/./));
  if (!asked) return;
  if (!hasButton(DROP)(asked)) {
    if (hasButton(ADD)(asked))
      world.diary.cutOff.push(`${name} has codes open and begins another import, and is told: ${asked.text}`);
    return;
  }
  const goesOn = random.chance(0.5);
  await phone.press(asked, goesOn ? 'Go on' : DROP);
  const preview = await phone.sees((message) => message.id >= asked.id && hasButton(ADD)(message), SHOWN_MS);
  const [, count = ''] = /(\d+)/.exec((preview && findButton(preview, ADD)?.text) ?? '') ?? [];
  if (preview && count !== (goesOn ? '5' : '2'))
    world.diary.cutOff.push(`${name} ${goesOn ? 'goes on with' : 'drops'} 3 codes, and is shown ${count}`);
  await finishPaste({ phone });
}

/**
 * What the bot has read: with Add, with a question about denominations, or with nothing to add. The question for a
 * paste has Done.
 */
export const isPreview = (message: SeenMessage): boolean =>
  !hasButton('Done')(message) && (hasButton(ADD)(message) || /^(?:↪|Preview)/.test(message.text));

/** Whatever is asked about is not added. The preview as it stood, where it came. */
export async function finishPaste({ phone }: Pick<Self, 'phone'>): Promise<SeenMessage | undefined> {
  const which = phone.newest().findLast((message) => findButton(message, /^It’s in the text$/));
  if (which) await phone.press(which, /^It’s in the text$/);
  const preview = await phone.sees(isPreview, SHOWN_MS);
  if (!preview) return undefined;
  const isClear = hasButton(ADD)(preview) && !preview.text.includes('→ ?');
  await phone.press(preview, isClear ? ADD : 'Cancel', isClear ? { kind: 'add' } : undefined);
  return preview;
}

/** Nothing of a paste is unaccounted for: what was not read as a code stands in the preview below it. */
export function noteUntold(
  { diary }: World,
  { phone, name }: Self,
  broken: string | undefined,
  preview: SeenMessage | undefined,
): void {
  if (broken === undefined || !preview || OVER.test(preview.text)) return;
  // Where the service could not read what was pasted last, the preview of what came before still stands there.
  const pasted = diary.questions.findLast(({ user }) => user === phone.user)?.messageId ?? 0;
  if (preview.id < pasted) return;
  if (!preview.text.includes(broken.slice(0, 3)))
    diary.notice(`${name} pasted ${broken}, and nothing of it stands in the preview: ${preview.text}`);
}

/** What stands above a file goes before what was said first. */
export async function pasteWithCaption({ phone, random, shop }: Self): Promise<void> {
  const [first, of] = [random.pick(DENOMINATIONS), random.pick(DENOMINATIONS)];
  const asked = await beginImport({ phone }, `/add_codes ${first}`, says(/./));
  if (!asked) return;
  const bytes = Buffer.from(shop.mint(of, 2 + random.below(3)).join('\n'));
  const caption = random.pick([`${of}`, `${of}:`, `${of} UC`, `коды по ${of}`]);
  await phone.ask({ document: { name: 'codes.txt', bytes, caption } }, isPreview);
  await finishPaste({ phone });
}

/** More comes while the preview stands there: what is pressed under it adds no more than it showed. */
export async function addAfterMore(world: World, { phone, random, shop, name }: Self): Promise<void> {
  const denomination = random.pick(DENOMINATIONS);
  const began = world.time.clock.now();
  const listed = (count: number) => shop.mint(denomination, count).join('\n');
  const preview = await beginImport({ phone }, `/add_codes ${denomination} ${listed(2)}`, hasButton(ADD));
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
    world.diary.notice(`${name} was shown ${shown} codes to add, and ${added} were added`);
  if (random.chance(0.7)) await finishPaste({ phone });
}

/** Something else is begun and left again: what was pasted waits for its Add as before. */
export async function leaveSomethingElse(
  { diary }: World,
  { phone, random, shop, name }: Self,
): Promise<void> {
  const denomination = random.pick(DENOMINATIONS);
  const status = await phone.ask(`${denomination} UC\n${shop.mint(denomination, 3).join('\n')}`, isPreview);
  if (!status || !(await phone.ask('/redeem', says(WHOM)))) return;
  const left = await phone.ask('/cancel', says(/./));
  if (left && DROPPED.test(left.text))
    diary.cutOff.push(`${name} left what they began beside a paste, and is told: ${left.text}`);
  await finishPaste({ phone });
}

const WHOM = /Which game|player/;
const DROPPED = /what you pasted is dropped/;

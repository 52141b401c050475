// Folding of what people write, the same in every surface: invisible characters are not there, digits of all scripts
// and full width letters are those of ASCII; codes also as they are printed, in groups with dashes or blanks.

const INVISIBLE = /\p{Cf}/u;
const FULL_WIDTH = /[\uff01-\uff5e]/;
/** Invisible, of full width, or a digit of another script. */
const FOLDED = /\p{Cf}|[\uff01-\uff5e]|(?![0-9])\p{Nd}/gu;
/** What each of them becomes; there are about a thousand. */
const FOLDINGS = new Map<string, string>();
const GROUPED = /^[A-Za-z0-9]{3,8}([-\u2010-\u2015\u2212])[A-Za-z0-9]{3,8}(?:\1[A-Za-z0-9]{3,8}){1,8}$/;
const DASH = /[-\u2010-\u2015\u2212]/;
/** No code or player ID is longer, however it is written. */
const LONGEST = 256;

/** Plain text is returned as it is. Case, marks and blanks are kept; folding twice changes nothing. */
export function foldWritten(text: string): string {
  if (isPlain(text)) return text;
  return text.replace(FOLDED, foldCharacter);
}

function foldCharacter(character: string): string {
  let folded = FOLDINGS.get(character);
  if (folded === undefined) FOLDINGS.set(character, (folded = findFolding(character)));
  return folded;
}

function findFolding(character: string): string {
  if (INVISIBLE.test(character)) return '';
  return FULL_WIDTH.test(character)
    ? String.fromCharCode(character.charCodeAt(0) - 0xfee0)
    : String(valueOf(character));
}

/**
 * Names as people compare them: compatible forms are one, case does not matter (upper case first, so that ß is ss and
 * both lower sigmas are one), what cannot be seen is not there.
 */
export function foldName(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC');
}

/**
 * The code that a word is, or that three or more groups of one length make, with a letter and a digit among them;
 * undefined where it is none. `isCode` tells of a word as it stands: groups that are codes themselves are never put
 * together. Groups of `digits` alone are read only where that is said: a card is written so, too.
 */
export function readCode(
  written: string,
  isCode: (word: string) => boolean,
  { digits = false }: { digits?: boolean } = {},
): string | undefined {
  const word = foldWritten(written);
  if (isCode(word)) return word;
  if (word.length > LONGEST || !GROUPED.test(word)) return undefined;
  const groups = word.split(DASH);
  const code = groups.join('');
  const isEven = groups.every((group) => group.length === groups[0]?.length && !isCode(group));
  const isMixed = /[A-Za-z]/.test(code) && /[0-9]/.test(code);
  return isEven && (isMixed || (digits && /^[0-9]+$/.test(code))) && isCode(code) ? code : undefined;
}

/**
 * A code as it is kept, however it was written; what is none in any writing is returned folded, for the caller to
 * refuse.
 */
export function foldCode(written: string, pattern: RegExp): string {
  const folded = foldWritten(written).trim();
  if (folded.length > LONGEST) return folded;
  const isCode = (word: string) => pattern.test(word);
  const inGroups = () => readCode(folded.replace(/\s+/g, '-'), isCode, { digits: true });
  return readCode(folded, isCode, { digits: true }) ?? inGroups() ?? folded;
}

function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

/** Digits of a script stand in a row of ten. */
function valueOf(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  if (point >= 0x1d7ce && point <= 0x1d7ff) return (point - 0x1d7ce) % 10;
  let zero = point;
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return point - zero;
}

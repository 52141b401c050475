// What people call the currencies of games, beside the name in the catalogue: read in orders and in pastes alike.
import { memoize } from './memoize.ts';

/** By the name in the catalogue, in lower case and singular. */
const ALIASES: Readonly<Record<string, string>> = {
  uc: 'юс юси юсы юса юсов юсей юсик юсики юсиков юсика юсишек ю юц юцы уц ус уси усей усов شدة شدات شده یوسی يوسي',
  diamond:
    'dia dias алмаз алмаза алмазы алмазов алмазик алмазики алмазиков кристалл кристаллы кристаллов ' +
    'даймонд даймонда даймонды даймондов гем гема гемы гемов',
};

/** Letters of the Cyrillic that look like Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  е: 'e',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
};

/** As it is compared: in lower case, singular. */
function singular(word: string): string {
  return word.toLowerCase().replace(/(?<=...)s$/, '');
}

/** What it is called beside its own name. */
function aliasesOf(currency: string): readonly string[] {
  return ALIASES[singular(currency)]?.split(' ') ?? [];
}

/** What stands for a currency in a text of lower case, as a pattern without bounds; the longest first. */
export function currencyPattern(currency: string): string {
  const name = singular(currency);
  const names = [currency.toLowerCase(), `${name}s`, name].map((word) =>
    [...word].map((letter) => likeLetter(letter)).join(''),
  );
  return [...names, ...aliasesOf(currency).toSorted((a, b) => b.length - a.length)].join('|');
}

/** A letter with those that look like it. */
function likeLetter(letter: string): string {
  const own = letter.replace(/[.*+?^${}()|[\]\\]/, '\\$&');
  const [alike] = Object.entries(LOOKALIKES).find(([, latin]) => latin === letter) ?? [];
  return alike === undefined ? own : `[${letter}${alike}]`;
}

/**
 * Whether a word means the currency: its name, also in letters that only look Latin, in the plural, or what people call
 * it.
 */
export function createCurrencyTest(currency: string): (word: string) => boolean {
  const name = singular(currency);
  const aliases = new Set([...aliasesOf(currency), `${name}s`]);
  return memoize((word) => {
    const lower = word.toLowerCase().replace(/['’]/g, '');
    if (singular(lower) === name || aliases.has(lower)) return true;
    return /[а-я]/.test(lower) && singular(foldLookalikes(lower)) === name;
  });
}

function foldLookalikes(word: string): string {
  return word.replace(/\p{Script=Cyrillic}/gu, (letter) => LOOKALIKES[letter] ?? letter);
}

// Whether what a message says may not be what is meant: words of refusal, a correction, two amounts to choose from.
// Then nothing of it is ordered by itself: a person is asked.
import type { OrderVocabulary } from './words.ts';

/** Whatever else the message says. */
const DOUBT =
  /(?<!\p{L})(?:не|not|don['’]?t|didn['’]?t|or|или|либо|instead|вместо|кроме|except|отмен\p{L}*|cancel\p{L}*|ошиб\p{L}*|wrong|refund\p{L}*|возврат\p{L}*|верни\p{L}*|вернуть|передумал\p{L}*|changed my mind|no,? wait|wait,? no|нет,? (?:стой|подожди|погоди)\p{L}*|(?:already|уже) (?:sent|done|got|gave|delivered|отправ\p{L}*|выда\p{L}*|закину\p{L}*|сдела\p{L}*|пополн\p{L}*|приш\p{L}*|получ\p{L}*)|(?:no|нет|без) \d{1,4}(?!\d)|\d{1,4}(?: ?(?:uc|юс))? (?:no|нет))(?!\p{L})/iu;
/** Where there are two amounts or players, the second may stand for the first. */
const CORRECTION =
  /(?<!\p{L})(?:no|нет|sorry|сорр?и|извини\p{L}*|oops|упс|ой|wait|стой|погоди\p{L}*|подожди\p{L}*|actually|rather|better|i mean|correction|changed?|точнее|вернее|лучше|поправ\p{L}*|измени\p{L}*|смени\p{L}*|поменя\p{L}*)(?!\p{L})|(?:^|\n)[ \t]*\*[ \t]*\d/iu;
/** `60/325`, `60-325`, `660 (325)`: this or that, from here to there, the one and its price. */
const CHOICE = /(?<!\d)(\d+)[ \t]?\p{L}{0,3}[ \t]?[-/|–—=:([→>~][ \t]?(\d+)(?!\d)/gu;
const AMOUNTS_AND_PLAYERS = /\d+/g;
const SHORTEST_ID = 5;

/** Whether somebody may not want at all what the text says. */
export function isDoubtful(text: string, vocabulary: OrderVocabulary): boolean {
  if (DOUBT.test(text) || hasChoice(text, vocabulary) || vocabulary.namesAnotherGame(text)) return true;
  return CORRECTION.test(text) && holdsTwo(text, vocabulary);
}

/** Whether two amounts stand beside each other that are not both wanted for certain. */
export function hasChoice(text: string, { isDenomination }: OrderVocabulary): boolean {
  return [...text.matchAll(CHOICE)].some(
    ([, one, other]) => isDenomination(Number(one)) && isDenomination(Number(other)),
  );
}

function holdsTwo(text: string, { isDenomination }: OrderVocabulary): boolean {
  const numbers = new Set(text.match(AMOUNTS_AND_PLAYERS) ?? []);
  const amounts = [...numbers].filter((digits) => isDenomination(Number(digits)));
  const players = [...numbers].filter((digits) => digits.length >= SHORTEST_ID);
  return amounts.length > 1 || players.length > 1;
}

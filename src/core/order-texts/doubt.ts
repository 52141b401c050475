// Whether what a message says may not be what is meant: words of refusal, a correction, two amounts to choose from.
// Then nothing of it is ordered by itself: a person is asked.
import type { OrderVocabulary } from './words.ts';

/** Words of refusal, of money that is given back, of what was done already, whatever else the message says. */
const REFUSALS = {
  en: String.raw`not|don['’]?t|didn['’]?t|or|instead|except|cancel\p{L}*|wrong|refund\p{L}*|changed my mind|no,? wait|wait,? no|twice|already (?:sent|done|got|gave|delivered)`,
  ru: String.raw`не|или|либо|вместо|кроме|отмен\p{L}*|ошиб\p{L}*|возврат\p{L}*|верни\p{L}*|вернуть|передумал\p{L}*|дважды|нет,? (?:стой|подожди|погоди)\p{L}*|уже (?:отправ|выда|закину|скину|сдела|пополн|приш|получ)\p{L}*`,
  tr: String.raw`iptal\p{L}*|vazge[cç]\p{L}*|yanl[ıi][sş]\p{L}*|iade\p{L}*|de[gğ]il|gelmedi|olmas[ıi]n|sakın|verildi|gönderildi`,
  es: String.raw`no|devuel\p{L}*|reembols\p{L}*|equivoc\p{L}*|error|ya (?:enviad|hech|lleg|recib)\p{L}*`,
  pt: String.raw`não|nao|devolv\p{L}*|estorn\p{L}*|errad\p{L}*|engan\p{L}*|já (?:enviad|feit|cheg|receb)\p{L}*`,
  id: String.raw`batal\p{L}*|jangan|bukan|tidak|salah|kembalikan|sudah (?:dikirim|masuk|selesai|diterima)`,
  ar: 'لا|ليس|إلغاء|الغاء|ألغي|الغي|خطأ|استرداد|استرجاع|وصل',
};
const DOUBT = new RegExp(
  String.raw`(?<!\p{L})(?:${Object.values(REFUSALS).join('|')}|(?:нет|без) \d{1,4}(?!\d)|` +
    String.raw`\d{1,4}(?: ?(?:uc|юс))? нет)(?!\p{L})|[不别]要|取消|退|错|没`,
  'iu',
);
/** Where there are two amounts or players, the second may stand for the first. */
const CORRECTION =
  /(?<!\p{L})(?:no|нет|sorry|сорр?и|извини\p{L}*|oops|упс|ой|wait|стой|погоди\p{L}*|подожди\p{L}*|actually|rather|better|i mean|correction|changed?|точнее|вернее|лучше|поправ\p{L}*|измени\p{L}*|смени\p{L}*|поменя\p{L}*)(?!\p{L})|(?:^|\n)[ \t]*\*[ \t]*\d/iu;
/** `60/325`, `60-325`, `660 (325)`, `60 -> 325`: this or that, from here to there, the one and its price. */
const CHOICE = /(?<!\d)(\d+)[ \t]?\p{L}{0,3}[ \t]?[-/|–—=:([→➡>~]{1,3}\ufe0f?[ \t]?(\d+)(?!\d)/gu;
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

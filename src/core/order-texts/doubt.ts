// Whether what a message says may not be what is meant: words of refusal, a correction, two amounts to choose from.
// Then nothing of it is ordered by itself: a person is asked.
import type { OrderVocabulary } from './words.ts';

/** Words of refusal, of money that is given back, of what was done already or is there, whatever else the message says. */
const REFUSALS = {
  en: String.raw`not|don['’]?t|didn['’]?t|or|instead|except|cancel\p{L}*|wrong|refund\p{L}*|changed my mind|no,? wait|wait,? no|twice|already (?:sent|done|got|gave|delivered)`,
  ru: String.raw`не|или|либо|вместо|кроме|отмен\p{L}*|ошиб\p{L}*|возврат\p{L}*|верни\p{L}*|вернуть|передумал\p{L}*|дважды|нет,? (?:стой|подожди|погоди)\p{L}*|уже (?:отправ|выда|закину|скину|сдела|пополн|приш|получ)\p{L}*`,
  tr: String.raw`iptal\p{L}*|vazge[cç]\p{L}*|yanl[ıi][sş]\p{L}*|iade\p{L}*|de[gğ]il|gelmedi|olmas[ıi]n|sakın|verildi|gönderildi`,
  es: String.raw`no|devuel\p{L}*|reembols\p{L}*|equivoc\p{L}*|error|ya (?:enviad|hech|lleg|recib)\p{L}*`,
  pt: String.raw`não|nao|devolv\p{L}*|estorn\p{L}*|errad\p{L}*|engan\p{L}*|já (?:enviad|feit|cheg|receb)\p{L}*`,
  id: String.raw`batal\p{L}*|jangan|bukan|tidak|salah|kembalikan|sudah (?:dikirim|masuk|selesai|diterima)`,
  ar: 'لا|ليس|إلغاء|الغاء|ألغي|الغي|خطأ|استرداد|استرجاع|وصل',
};
/** Behind an amount: it came already, or is there. */
const THERE =
  'have|has|had|got|received|gone|done|left|sent|delivered|есть|было|получ\\p{L}*|приш\\p{L}*|уш(?:ло|ли|ел)|осталось|готово|сделан\\p{L}*|отправ(?:ил|лен)\\p{L}*';
const DOUBT = new RegExp(
  String.raw`(?<!\p{L})(?:${Object.values(REFUSALS).join('|')}|(?:нет|без) \d{1,4}(?!\d)|` +
    String.raw`\d{1,4}(?: ?(?:uc|юс))? нет|(?<!\d)\d{1,4}(?: ?(?:uc|юс))?[ ,.:–—-]{1,3}(?:${THERE})|(?:${THERE}) \d{1,4}(?!\d))(?!\p{L})|[不别]要|取消|退|错|没`,
  'iu',
);
/** Asked or complained of: a person looks at it before a look-up is paid for. */
const UNCLEAR = new RegExp(
  '\\?|(?<!\\p{L})(?:where|when|why|which|what|who|how|never|again|still|late|wait\\p{L}*|check|receipt|ticket|problem\\p{L}*|issue|help|' +
    'scam\\p{L}*|где|когда|почему|како\\p{L}*|сколько|кто|что|опять|снова|чек\\p{L}*|заявк\\p{L}*|проблем\\p{L}*|помо[гщ]\\p{L}*|жд[уеё]\\p{L}*|' +
    'жалоб\\p{L}*|обман\\p{L}*|nerede\\p{L}*|ne zaman|neden|nas[ıi]l|sorun\\p{L}*|bekl\\p{L}*|d[óo]nde|cu[áa]nd?o|cu[áa]nto|' +
    'qu[ée]|espera\\p{L}*|onde|quando|quanto|cad[êe]|mana|kapan|kenapa|berapa|belum|أين|متى|كم|لماذا)(?!\\p{L})|哪|多少|什么时候|怎么',
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

/** Whether the text asks or complains, whatever it orders. */
export const isUnclear = (text: string): boolean => UNCLEAR.test(text);

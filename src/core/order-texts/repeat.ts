// Messages that ask for the same once more, without a player: `same again`, `ещё раз`.

/** One of them says it, and what else stands there changes nothing. */
const SAME =
  /^(?:again|same|repeat|more|еще|же|тоже|такой|такую|снова|опять|повтор|повтори|повторить|повторите)$/;
const BESIDE = /^(?:the|once|one|time|it|that|last|раз|один|одну|то|самое|последний|последнюю|давай|ему)$/;
const POLITE = /^(?:please|pls|plz|пожалуйста|плиз)$/;
/** They need another beside them: `one more`, `то же`. */
const HALF = /^(?:more|же|тоже|такой|такую)$/;
const LONGEST = 48;

/** Whether the whole message is that. */
export function asksAgain(text: string): boolean {
  if (text.length > LONGEST) return false;
  const all =
    text
      .toLowerCase()
      .replaceAll('ё', 'е')
      .match(/\p{L}+/gu) ?? [];
  const words = all.filter((word) => !POLITE.test(word));
  if (!words.every((word) => SAME.test(word) || BESIDE.test(word))) return false;
  return words.some((word) => SAME.test(word) && (words.length > 1 || !HALF.test(word)));
}

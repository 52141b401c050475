// Messages that ask for the same once more, without a player: `same again`, `ещё раз`.

const WORDS: ReadonlySet<string> = new Set([
  ...[
    'again',
    'same',
    'the same',
    'same again',
    'the same again',
    'same one',
    'same one again',
    'once again',
  ],
  ...[
    'once more',
    'one more',
    'one more time',
    'repeat',
    'repeat it',
    'repeat that',
    'repeat last',
    'repeat last one',
  ],
  ...[
    'repeat the last one',
    'еще',
    'еще раз',
    'еще один',
    'еще одну',
    'еще такой же',
    'еще такую же',
    'то же',
    'тоже самое',
  ],
  ...[
    'то же самое',
    'то же самое еще раз',
    'такой же',
    'такую же',
    'снова',
    'опять',
    'повтор',
    'повтори',
    'повторить',
  ],
  ...['повторите', 'повтори последний', 'повтори последнюю', 'давай еще раз', 'ему же еще', 'ему же еще раз'],
]);
const LONGEST = 48;

/** Whether the whole message is that. */
export function asksAgain(text: string): boolean {
  if (text.length > LONGEST) return false;
  const words = text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[^\p{L} ]/gu, ' ')
    .replace(/(?<!\p{L})(?:please|pls|plz|пожалуйста|плиз)(?!\p{L})/gu, ' ');
  return WORDS.has(words.trim().replace(/\s+/g, ' '));
}

// Numbers with their nouns, and sentences, in both languages of the page.
import type { Said } from './protocol.ts';

/** A sentence in each language. */
export const both = (en: string, ru: string): Said => ({ en, ru });

/** `1 code`, `1,200 codes`; `1 код`, `1 200 кодов`. */
export const nounCodes = counting(['code', 'codes'], ['код', 'кода', 'кодов']);
export const nounActivations = counting(
  ['activation', 'activations'],
  ['активация', 'активации', 'активаций'],
);
export const nounRedemptions = counting(
  ['redemption', 'redemptions'],
  ['активация', 'активации', 'активаций'],
);
export const nounDays = counting(['day', 'days'], ['день', 'дня', 'дней']);

function counting(en: [string, string], ru: [string, string, string]): (number: number) => Said {
  const plural = new Intl.PluralRules('ru');
  return (number) => {
    const form = plural.select(number);
    // A fraction takes the genitive of one: 0,25 активации.
    const noun = form === 'one' ? ru[0] : form === 'few' || form === 'other' ? ru[1] : ru[2];
    return both(
      `${number.toLocaleString('en')} ${number === 1 ? en[0] : en[1]}`,
      `${number.toLocaleString('ru')} ${noun}`,
    );
  };
}

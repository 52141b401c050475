// Codes for the visitor to paste: fresh ones of each denomination, and some that show what can go wrong.
import { randomBytes } from 'node:crypto';

import { mintCodes } from '../src/platform/sandbox/codes.ts';
import { said, type Said } from './personas.ts';

/** The game with a code database. */
export const GAME = 'game_id_1';

/** Codes for the visitor to paste. */
interface Sample {
  /** `fresh-60`, or how the code begins: `TIMEOUT`. */
  key: string;
  label: Said;
  /** Of one that goes wrong, how. */
  about?: Said;
  count: number;
  /** What is put on the clipboard: fresh codes come with the heading that a supplier writes over them. */
  mint: () => string;
}

/** All samples, the fresh ones first, and what was copied last of each; `unit` stands in the heading of fresh ones. */
export function createSamples(unit: string) {
  const samples: readonly Sample[] = [
    fresh(60, 5, unit, 'новых кодов'),
    fresh(325, 3, unit, 'новых кода'),
    fresh(660, 2, unit, 'новых кода'),
    ...PECULIAR.map(([key, label, about]) => ({
      ...{ key, label, about, count: 1, mint: () => mintPeculiar(key) },
    })),
  ];
  const copied = new Map(samples.map(({ key, mint }) => [key, mint()]));
  return {
    samples,
    /** Other codes of a sample, for the clipboard. */
    copy(key: string): string | undefined {
      const text = samples.find((one) => one.key === key)?.mint();
      if (text !== undefined) copied.set(key, text);
      return text;
    },
    copied: (key: string): string => copied.get(key) ?? '',
  };
}

/** Fresh codes that the sandbox redeems. */
export const mintPlayCodes = (denomination: number, count: number): string[] =>
  mintCodes({ count, denomination, randomBytes });

/** A code that the sandbox treats as its beginning says. */
export function mintPeculiar(prefix: string): string {
  // The tail of a minted code is as random as a code must be; a digit before it would bind it to a sandbox.
  return `${prefix}x${mintPlayCodes(60, 1).join('').slice(-9)}`;
}

const fresh = (denomination: number, count: number, unit: string, ru: string): Sample => ({
  key: `fresh-${denomination}`,
  label: said(`${count} fresh codes of ${denomination} ${unit}`, `${count} ${ru} на ${denomination} ${unit}`),
  count,
  mint: () => [`${denomination} ${unit}:`, ...mintPlayCodes(denomination, count)].join('\n'),
});

/** How a code begins that shows what can go wrong, what it is called, and what becomes of it. */
const PECULIAR: readonly (readonly [prefix: string, label: Said, about: Said])[] = [
  [
    'TIMEOUT',
    said('Never answered', 'Без ответа'),
    said(
      'Redeemed, but nobody is told: settles to a receipt.',
      'Активирован, но никто не узнал: дойдёт до чека.',
    ),
  ],
  [
    'LOST',
    said('Lost on the way', 'Потерян в пути'),
    said('Not redeemed, and nobody is told: comes back.', 'Не активирован, и никто не узнал: вернётся.'),
  ],
  [
    'DOWN',
    said('Out of reach', 'Платформы нет'),
    said(
      'The platform cannot be reached: nothing is spent or charged.',
      'До неё не достучаться: ничего не тратится и не списывается.',
    ),
  ],
  [
    'DOWN1',
    said('First upstream away', 'Нет первого поставщика'),
    said('The second redeems it: one order, one receipt.', 'Активирует второй: одна активация, один чек.'),
  ],
  [
    'NOORDER',
    said('Half a receipt', 'Чек не целиком'),
    said('Redeemed; the receipt comes with a warning.', 'Активирован; в чеке будет предупреждение.'),
  ],
  ['USED', said('Used before', 'Уже использован'), said('Refused by the platform.', 'Платформа откажет.')],
  [
    'NOACCOUNT',
    said('Nobody free', 'Все заняты'),
    said('Refused for a while: the code stays good.', 'Отказ на время: код остаётся годным.'),
  ],
];

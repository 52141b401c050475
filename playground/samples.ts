// Codes for the visitor to paste: fresh ones of each denomination, and some that show what can go wrong.
import { randomBytes } from 'node:crypto';

import { mintCodes } from '../src/platform/sandbox/codes.ts';
import { said, type Said } from './personas.ts';

/** The game with a code database. */
export const GAME = 'game_id_1';

/** Codes that were minted for the visitor to paste: fresh ones of a denomination, or one that goes wrong in its way. */
export interface Sample {
  /** `fresh-60`, or how the code begins: `TIMEOUT`. */
  key: string;
  label: Said;
  about?: Said;
  count: number;
  /** What is put on the clipboard: fresh codes come with the heading that a supplier writes over them. */
  mint: () => string;
}

/** All of them, the fresh ones first; `unit` stands in their heading. */
export function createSamples(unit: string): Sample[] {
  return [
    fresh(60, 5, unit, '5 новых кодов на 60'),
    fresh(325, 3, unit, '3 новых кода на 325'),
    fresh(660, 2, unit, '2 новых кода на 660'),
    ...PECULIAR.map((one) => ({ ...one, count: 1, mint: () => mintPeculiar(one.key) })),
  ];
}

/** Fresh codes that the sandbox redeems. */
export function mintPlayCodes(denomination: number, count: number): string[] {
  return mintCodes({ count, denomination, randomBytes });
}

/** A code that the sandbox treats as its beginning says. */
export function mintPeculiar(prefix: string): string {
  // The tail of a minted code is as random as a code must be; a digit before it would bind it to a sandbox.
  return `${prefix}x${mintPlayCodes(60, 1).join('').slice(-9)}`;
}

function fresh(denomination: number, count: number, unit: string, ru: string): Sample {
  return {
    key: `fresh-${denomination}`,
    label: said(`${count} fresh codes of ${denomination} ${unit}`, `${ru} ${unit}`),
    count,
    mint: () => [`${denomination} ${unit}:`, ...mintPlayCodes(denomination, count)].join('\n'),
  };
}

/** How a code begins that shows what can go wrong: what it is called and what becomes of it. */
const PECULIAR: readonly Omit<Sample, 'count' | 'mint'>[] = [
  {
    key: 'TIMEOUT',
    label: said('Never answered', 'Без ответа'),
    about: said(
      'Redeemed, but nobody is told: settles to a receipt.',
      'Активирован, но никто не узнал: дойдёт до чека.',
    ),
  },
  {
    key: 'LOST',
    label: said('Lost on the way', 'Потерян в пути'),
    about: said(
      'Not redeemed, and nobody is told: comes back.',
      'Не активирован, и никто не узнал: вернётся.',
    ),
  },
  {
    key: 'DOWN',
    label: said('Out of reach', 'Платформы нет'),
    about: said(
      'The platform cannot be reached: nothing is spent or charged.',
      'До неё не достучаться: ничего не тратится и не списывается.',
    ),
  },
  {
    key: 'DOWN1',
    label: said('First upstream away', 'Нет первого поставщика'),
    about: said(
      'The second redeems it: one order, one receipt.',
      'Активирует второй: одна активация, один чек.',
    ),
  },
  {
    key: 'NOORDER',
    label: said('Half a receipt', 'Чек не целиком'),
    about: said('Redeemed; the receipt comes with a warning.', 'Активирован; в чеке будет предупреждение.'),
  },
  {
    key: 'USED',
    label: said('Used before', 'Уже использован'),
    about: said('Refused by the platform.', 'Платформа откажет.'),
  },
  {
    key: 'NOACCOUNT',
    label: said('Nobody free', 'Все заняты'),
    about: said('Refused for a while: the code stays good.', 'Отказ на время: код остаётся годным.'),
  },
];

// The corpus of pastes (test/corpus/pastes.txt), and how its lines are written.
import { readFileSync } from 'node:fs';

import type { PastePiece } from '../../src/core/paste/messages.ts';
import { pasteGame } from './paste-game.ts';

/** Of whose codes it is. */
export const corpusGame = pasteGame([60, 325, 660, 1800, 3850, 8100]);
export const CODES: Record<string, string> = {
  A: 'K7QZ2MXB9TRW4HNE',
  B: 'P3LS8VCD6GYF1JKU',
  C: 'Z9XW4VUT2SRQ7PNM',
  D: 'H5GF3EDC8BAY6WVU',
};

export const CORPUS = readFileSync(new URL('../corpus/pastes.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t') as [pasted: string, read: string]);

/** With the codes that its letters stand for. */
export const fill = (text: string) =>
  text.replace(/(?<![\p{L}\p{N}])[A-D](?![\p{L}\p{N}])/gu, (name) => CODES[name] ?? name);

export interface Paste {
  pieces: PastePiece[];
  denomination: number | undefined;
}

export function toPaste(written: string): Paste {
  const [, chosen, name, text = ''] = /^(?:\/(\d+) )?(?:\[(.+?)\] )?(.*)$/s.exec(written) ?? [];
  const kind = name === undefined ? 'message' : 'file';
  const texts = fill(text).replaceAll('⏎', '\n').replaceAll('⇥', '\t').split(' ⏸ ');
  const pieces = texts.map((each): PastePiece => ({ kind, text: each, name }));
  return { pieces, denomination: chosen === undefined ? undefined : Number(chosen) };
}

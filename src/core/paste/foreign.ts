// Codes under the name of another game: `Game 2`, `60`. They are asked about with that name, until this game or its currency is
// named again.
import { gameNamePattern } from '../game-names.ts';
import type { Game } from '../games.ts';
import type { PasteToken } from './token.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The tokens of a line, without a denomination where they stand under the name of another game. */
export type ForeignGuard = (line: string, tokens: PasteToken[], section: ForeignSection) => PasteToken[];

/** `foreign`: the line that named another game, where that holds. */
export interface ForeignSection {
  foreign: string | undefined;
  denomination: number | undefined;
}

/** Longer lines without codes are prose. */
const LONGEST_LINE = 160;
const LONGEST_SHOWN = 40;

export function createForeignGuard(
  game: Game,
  others: readonly Game[],
  vocabulary: Vocabulary,
): ForeignGuard {
  const theirs = gameNamePattern(others);
  const ours = gameNamePattern([game]);
  if (!theirs) return (_, tokens) => tokens;
  return (line, tokens, section) => {
    const hasCodes = tokens.some(({ kind }) => kind === 'code' || kind === 'malformed');
    const isTheirs = (hasCodes || line.length <= LONGEST_LINE) && theirs.test(line);
    const said = line.trim().slice(0, LONGEST_SHOWN).toWellFormed();
    if (isTheirs && !hasCodes) {
      Object.assign(section, { foreign: said, denomination: undefined });
      return [{ kind: 'heading', text: said, denomination: undefined }];
    }
    if (isTheirs) return tokens.map((token) => takeBack(token, theirs.exec(line)?.[0] ?? said, true));
    if (section.foreign === undefined) return tokens;
    const names = ours?.test(line) === true || tokens.some((token) => tellsCurrency(token, vocabulary));
    const { foreign } = section;
    if (names) section.foreign = undefined;
    if (names && !hasCodes) return tokens;
    // Nothing that was told of the other game is told of what comes after it.
    section.denomination = undefined;
    return tokens.map((token) => takeBack(token, foreign));
  };
}

function tellsCurrency(token: PasteToken, { isCurrency }: Vocabulary): boolean {
  if (token.kind !== 'heading' || token.denomination === undefined) return false;
  return (token.text.match(/\p{L}+/gu) ?? []).some(isCurrency);
}

/** `isNamed`: its own line names the other game. */
function takeBack(token: PasteToken, name: string, isNamed = false): PasteToken {
  switch (token.kind) {
    case 'heading':
      return { ...token, text: `${name}, ${token.text}`, denomination: undefined };
    case 'code':
      if (token.own !== undefined) return { ...token, denomination: undefined, own: `${name}, ${token.own}` };
      return { ...token, denomination: undefined, own: isNamed ? name : undefined };
    case 'malformed':
      return { ...token, denomination: undefined };
    case 'place':
    case 'pause':
      return token;
  }
}

// Filing: under which denomination each code of a text stands, line by line. What is not understood, and where two
// things contradict each other, leaves a code without one, with the words to ask about. Nothing is guessed.
import { isRounded, type TextTraits } from './text-traits.ts';
import type { Lexicon } from './lexicon.ts';
import type { Frame, PasteLine } from './line.ts';
import { ask, begin, beginSection, endSection, fileCodes, isCounting, type Reading } from './line-codes.ts';
import { readRow } from './table.ts';
import { shortenWords, type LineToken, type PasteToken, type PieceSpan } from './token.ts';

export const beginReading = (chosen: number | undefined): Reading => ({
  chosen,
  denomination: chosen,
  fresh: true,
  sections: [],
});

/** Codes that wait for what stands below them. */
const MOST_WAITING = 1_000;

/** Files the lines of one text, see `createTraitFinder`. */
export function createFiling(
  reading: Reading,
  traits: TextTraits,
  lexicon: Lexicon,
): { file(line: PasteLine, continues: boolean, place: PieceSpan): PasteToken[]; end(): PasteToken[] } {
  // A heading in a message of its own is corrected by the next one; a label is of its own text.
  Object.assign(reading, { bare: undefined, label: undefined });
  const isBelow = traits.hasCodesFirst && traits.lastHeading !== undefined;
  const below =
    isBelow && (traits.hasFields || traits.lastHeading !== reading.denomination)
      ? createBelow(traits.hasFields)
      : undefined;
  let table: Frame = { text: '' };
  if (below) reading.denomination = undefined;

  return {
    file(line, continues, place) {
      const { frame } = line;
      const { sections } = reading;
      // Its columns are of one denomination each, or it names one of codes.
      const isOfDenominations = (header: Frame) => header.columns?.codes[0]?.told !== undefined;
      const isHeader = frame.columns !== undefined && !isOfDenominations(frame);
      const row =
        continues || frame.columns ? undefined : readRow(line, table, reading.denomination, traits.statuses);
      if (isHeader) table = frame;
      let tokens: LineToken[] = [];
      if (frame.items || row) tokens = fileCodes(line, continues, row, { reading, traits, lexicon });
      else if (!isHeader) tokens = fileHeading(frame, place, reading, lexicon);
      // A heading ends columns of denominations; one that is not understood as a whole may begin others: `60; 325`.
      if (tokens.some(({ kind }) => kind === 'heading') && (frame.columns ?? isOfDenominations(table)))
        table = frame;
      if (traits.isCorrected)
        tokens = tokens.map((token) =>
          'denomination' in token ? { ...token, denomination: undefined } : token,
        );
      tokens = nameForeign(frame, tokens, reading);
      for (const section of sections.filter((each) => reading.sections.includes(each))) {
        reading.denomination = undefined;
        tokens = tokens.map((token) => nameSection(token, section.text));
      }
      // Zeros at its end are those of a spreadsheet.
      if (traits.isRounded)
        tokens = tokens.map((token) =>
          token.kind === 'code' && isRounded(token.code)
            ? { ...token, denomination: undefined, own: '…000', isRounded: true }
            : token,
        );
      if (tokens.some(({ kind }) => kind === 'code')) reading.open = undefined;
      const placed = tokens.map((token): PasteToken => ({ ...token, ...place }));
      return below ? below.take(placed, reading) : placed;
    },
    end: () => below?.flush(undefined) ?? [],
  };
}

/** A line without codes, which may be a heading, or name what follows. */
function fileHeading(frame: Frame, place: PieceSpan, reading: Reading, lexicon: Lexicon): LineToken[] {
  const { text, denomination: told, asked, number: value, section } = frame;
  if (section === 'empty') reading.bare = undefined;
  if (section === 'spent') beginSection(reading, 'spent', text);
  if (section === 'unspent') endSection(reading, 'spent');
  if (frame.label) reading.label = frame.label === 'others' ? { text } : undefined;
  const isAsked = asked === 'always' || (asked === 'behind' && !reading.fresh);
  if (frame.label || (told === undefined && !isAsked)) return [];
  if (value !== undefined && isCounting(value, reading, lexicon)) return [];
  reading.line = undefined;
  const within = reading.sections.find(({ isWithin }) => isWithin);
  if (within && told !== undefined) {
    if (reading.fresh) within.isWithin = false;
    else endSection(reading, within.kind);
  }
  const { bare } = reading;
  // `660 UC`, `325 UC`, and codes only then: they could be of either.
  const isDoubtful = bare !== undefined && told !== undefined && bare.denomination !== told;
  const said = isDoubtful ? `${bare.text} / ${text}` : text;
  const denomination = isDoubtful ? undefined : told;
  const token = begin(reading, said, denomination);
  reading.bare = told === undefined ? bare : { denomination, text: said };
  if (denomination === undefined && !frame.corrects && !frame.counts && /\p{N}/u.test(said))
    reading.open = { text: said, place };
  return [token];
}

/** A number under a heading that nothing stands under is unaccounted for. */
export function takeOpen(reading: Reading): PasteToken[] {
  const { open } = reading;
  reading.open = undefined;
  return open ? [{ kind: 'unknown', text: open.text, ...open.place }] : [];
}

/**
 * Codes whose headings stand below them, or may: they wait. Fields of records, `PIN: CODE` and then `Value: 60 UC`, are
 * of the codes above them; of any other heading between codes nobody can tell, and codes are asked about by what stands
 * above and below.
 */
function createBelow(isRecords: boolean) {
  let waiting: PasteToken[] = [];
  let above: string | undefined;

  function flush(heading: { text: string; denomination: number | undefined } | undefined): PasteToken[] {
    const told = isRecords ? heading?.denomination : undefined;
    const text = isRecords ? heading?.text : [above ?? '…', heading?.text ?? '…'].join(' / ');
    const filed = waiting.map((token) =>
      token.kind === 'code' && token.own === undefined ? { ...token, denomination: told, own: text } : token,
    );
    waiting = [];
    above = heading?.text;
    return filed;
  }

  return {
    flush,
    take(tokens: PasteToken[], reading: Reading): PasteToken[] {
      return tokens.flatMap((token) => {
        if (token.kind === 'heading') {
          Object.assign(reading, { denomination: undefined, bare: undefined });
          return flush(token);
        }
        waiting.push(token);
        return waiting.length > MOST_WAITING ? flush(undefined) : [];
      });
    },
  };
}

/**
 * Codes under the name of another game are asked about with that name, until this game or its currency is named again.
 */
function nameForeign(
  { theirs, text, items, isOurs }: Frame,
  tokens: LineToken[],
  reading: Reading,
): LineToken[] {
  if (isOurs) endSection(reading, 'foreign');
  if (theirs === undefined) return tokens;
  if (items)
    return ask(
      tokens.map((token) => nameSection(token, theirs)),
      ({ own }) => own ?? theirs,
    );
  beginSection(reading, 'foreign', text);
  reading.denomination = undefined;
  return [{ kind: 'heading', text: shortenWords(text), denomination: undefined }];
}

/** `Used: 60 UC`, `used, 60 UC`: a code is asked about with the name of its section, and so is a heading within it. */
function nameSection(token: LineToken, name: string): LineToken {
  if (token.kind === 'unknown') return token;
  const put = (text: string) => (/:$/.test(name.normalize('NFKC')) ? `${name} ${text}` : `${name}, ${text}`);
  if (token.kind === 'heading') return { ...token, text: put(token.text), denomination: undefined };
  return { ...token, denomination: undefined, own: token.own === undefined ? undefined : put(token.own) };
}

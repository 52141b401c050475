// What a paste says of its codes, section by section: headings as they were read, and those that are asked about with
// their answers.
import { createHash } from 'node:crypto';

import type { CodeToken, PasteToken } from '../paste/token.ts';

/** What stood over codes, or beside them in their lines, as it was read. */
export interface HeadingRead {
  text: string;
  denomination: number | undefined;
  /** Different codes; those that came before under another heading are not among them. */
  codes: number;
}

/** Codes of which the paste does not tell what they are. */
export interface AskedHeading {
  /** What an answer is given for. */
  key: string;
  /** What stands over them; undefined where nothing does, or too many different things. */
  text: string | undefined;
  codes: number;
  /** What each of them is worth is known, but for these words beside it. */
  isGood?: boolean;
}

/** Codes of which nothing says anything. */
export const NOTHING_SAID = 'none';
/** The key of what is not understood and may be codes. */
export const NOT_UNDERSTOOD = 'unread';
/** Whatever else is not understood where that are many things. */
const THE_REST = 'rest';
/** Of different things that are not understood, asked about one by one. */
const MOST_ASKED = 8;
/** Of different headings, shown one by one. */
export const MOST_SHOWN = 200;
/** The answers that leave codes out, and that take each for what it says it is worth. */
export const LEFT_OUT = 0;
export const GOOD = -1;
/** Of so many words beside codes each is asked about. */
const FEW = 3;
/** Of more, those that stand beside so large a part of the codes. */
const LARGE_PART = 1 / 6;

/** Denominations, or what else was answered, by the key of what was asked. */
export type Answers = Readonly<Record<string, number>>;

export interface Sections {
  begin(heading: Extract<PasteToken, { kind: 'heading' }>): void;
  /** Counts a code where it stands; its denomination, undefined where it is not known or the code is left out. */
  count(code: Pick<CodeToken, 'denomination' | 'own' | 'good'>): number | undefined;
  summarize(): { headings: HeadingRead[]; asked: AskedHeading[]; leftOut: number };
}

export function createSections(answers: Answers): Sections {
  const headings = new Map<string, HeadingRead>();
  const asked = new Map<string, AskedHeading>();
  const keys = new Map<string, string>();
  let current: HeadingRead | undefined;
  let leftOut = 0;

  function show(text: string, denomination: number): HeadingRead | undefined {
    const key = `${denomination}:${text}`;
    const known = headings.get(key) ?? { text, denomination, codes: 0 };
    if (headings.size < MOST_SHOWN) headings.set(key, known);
    return known;
  }

  /** The key of what is asked about codes under these words. */
  function keyOf(text: string): string {
    const known = keys.get(text);
    if (known !== undefined) return known;
    if (keys.size >= MOST_ASKED) return THE_REST;
    const key = digest(text);
    keys.set(text, key);
    return key;
  }

  function ask(text: string | undefined, good: number | undefined): number | undefined {
    const isGood = good !== undefined;
    const key = text === undefined ? NOTHING_SAID : keyOf(isGood ? `${text} …` : text);
    const answer = answers[key] === GOOD ? good : answers[key];
    if (answer === LEFT_OUT) leftOut += 1;
    else if (answer === undefined) {
      const known = asked.get(key) ?? {
        key,
        text: key === THE_REST ? undefined : text,
        codes: 0,
        ...(isGood && key !== THE_REST && { isGood }),
      };
      known.codes += 1;
      asked.set(key, known);
    } else if (text !== undefined) {
      const heading = show(text, answer);
      if (heading) heading.codes += 1;
    }
    return answer === LEFT_OUT ? undefined : answer;
  }

  return {
    begin({ text, denomination }) {
      current = denomination === undefined ? { text, denomination, codes: 0 } : show(text, denomination);
    },
    count({ denomination, own, good }) {
      if (denomination === undefined) return ask(own ?? current?.text, good);
      const isOfHeading = current?.denomination === denomination;
      const heading = isOfHeading ? current : own === undefined ? undefined : show(own, denomination);
      if (heading) heading.codes += 1;
      return denomination;
    },
    summarize: () => ({
      headings: [...headings.values()],
      asked: [...asked.values()],
      leftOut,
    }),
  };
}

/**
 * Words beside codes as they are asked about: of many different ones those that stand beside few codes are one
 * question, in the words of the first of them.
 */
export function joinRare(words: readonly string[]): (word: string) => string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rare = [...counts].filter(([, count]) => count === 1 || count < words.length * LARGE_PART);
  if (counts.size <= FEW || rare.length < 2) return (word) => word;
  const joined = rare.slice(0, FEW).map(([word]) => word);
  const text = `${joined.join(', ')}${rare.length > FEW ? ', …' : ''}`;
  const isRare = new Set(rare.map(([word]) => word));
  return (word) => (isRare.has(word) ? text : word);
}

/** What was answered so far; where that cannot be read, nothing. */
export function readAnswers(json: string | null): Answers {
  return json === null ? {} : (JSON.parse(json) as Answers);
}

const digest = (text: string) =>
  createHash('sha256').update(text.trim().toLowerCase()).digest('base64url').slice(0, 10);

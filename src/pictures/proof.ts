// The proof of a receipt as a picture: 1080 × 1350, as a phone shows one whole.
import { asset } from '../files.ts';
import { openLocales, type Language, type WordBy } from '../locales.ts';
import { formatMoment } from '../moments.ts';
import { drawable } from './font.ts';
import { renderPicture } from './render.ts';
import { INK, sheet, write, type Style } from './svg.ts';

/** What it tells; times in ms. */
export interface ProofFacts {
  id: number;
  shop: string;
  timeZone: string;
  playerId: string;
  playerName: string | null;
  productName: string | null;
  amount: string | null;
  createdAt: number;
  settledAt: number | null;
  code: string;
  /** Nothing real was redeemed. */
  isSandbox: boolean;
}

const WIDTH = 1080;
const HEIGHT = 1350;
const MARGIN = 80;
/** Of the rows. */
const TOP = 500;
const INNER = WIDTH - 2 * MARGIN;
/** So many are drawn at once. */
const AT_ONCE = 4;
let drawing = 0;
/** Read once in a process. */
let words: WordBy | undefined;

/** A PNG; undefined while as many are drawn as may be at once: ask again a second later. */
export async function drawProof(facts: ProofFacts, language: Language): Promise<Buffer | undefined> {
  if (drawing >= AT_ONCE) return undefined;
  drawing += 1;
  try {
    return await renderPicture(composeProof(facts, language), WIDTH);
  } finally {
    drawing -= 1;
  }
}

/** SVG. */
export function composeProof(facts: ProofFacts, language: Language): string {
  const say = (key: string) =>
    (words ??= openLocales(asset('src/pictures/locales')))(language, `proof-${key}`, {});
  const parts = [
    rect(0, 0, WIDTH, HEIGHT, '#eef2f6'),
    rect(40, 40, WIDTH - 80, HEIGHT - 80, INK.paper, 36),
    line(drawable(facts.shop) || '—', 150, { size: 44, weight: 700 }),
    `<circle cx="${WIDTH / 2}" cy="280" r="64" fill="#14804a"/>`,
    `<path d="M${WIDTH / 2 - 30} 282 l22 22 l40 -44" fill="none" stroke="#ffffff" stroke-width="14" stroke-linecap="round" stroke-linejoin="round"/>`,
    line(say('title'), 420, { size: 60, weight: 700, color: '#14804a' }),
  ];
  const rows = rowsOf(facts, language);
  const step = Math.min(104, (HEIGHT - TOP - (facts.isSandbox ? 200 : 120)) / rows.length);
  rows.forEach(([key, value], index) => {
    const y = TOP + index * step;
    parts.push(
      write(say(key), MARGIN, y, { size: 25, room: INNER, color: INK.faint }),
      write(value, MARGIN, y + 40, { size: 36, room: INNER, weight: 700 }),
    );
  });
  if (facts.isSandbox)
    parts.push(
      rect(40, HEIGHT - 190, WIDTH - 80, 70, '#c62828'),
      line(say('sandbox'), HEIGHT - 143, { size: 32, weight: 700, color: INK.paper }),
    );
  parts.push(line(say('foot'), HEIGHT - 75, { size: 24, color: INK.faint }));
  return sheet(WIDTH, HEIGHT, parts);
}

function rowsOf(facts: ProofFacts, language: Language): [key: string, value: string][] {
  const { timeZone, createdAt, settledAt, productName, amount } = facts;
  const when = (at: number) => formatMoment(language, at, timeZone);
  const rows: [string, string | null][] = [
    nameRow(facts),
    ['player-id', facts.playerId],
    ['product', productName === null ? null : drawable(productName)],
    ['amount', amount],
    ['when', when(createdAt)],
    ['settled', settledAt === null ? null : when(settledAt)],
    ['receipt', String(facts.id)],
    ['code', facts.code],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== null && row[1] !== '');
}

/** A name with a sign that the font lacks would be another name. */
function nameRow({ playerName }: ProofFacts): [string, string | null] {
  const plain = (playerName ?? '').normalize('NFC').replace(/\s+/gu, ' ').trim();
  return ['player', drawable(plain) === plain ? plain : null];
}

const rect = (x: number, y: number, width: number, height: number, fill: string, corner = 0): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${corner}" fill="${fill}"/>`;

const line = (text: string, y: number, style: Omit<Style, 'room'>): string =>
  write(text, WIDTH / 2, y, { ...style, room: INNER, anchor: 'middle' });

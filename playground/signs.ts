// Line drawings for buttons, and the signs of the bot's texts, drawn here as Telegram draws its own: the same on every
// machine, fonts or none.
import { raw } from 'hono/html';

const PATHS = {
  send: 'M4 12l16-8-5 16-3.500-6.500z',
  attach:
    'M20 11l-8.500 8.500a5 5 0 0 1-7-7L13 4a3.300 3.300 0 0 1 4.700 4.700L9.500 17a1.700 1.700 0 0 1-2.400-2.400L14.500 7',
  menu: 'M4 7h16M4 12h16M4 17h10',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  link: 'M8 16L17 7M9 7h8v8',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  check: 'M5 12.500l4.500 4.500L19 7.500',
};

/** A line drawing; decoration only, so a button with nothing else needs a label of its own. */
export const icon = (name: keyof typeof PATHS) =>
  raw(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}"></path></svg>`);

const GREEN = '#1f9d57';
const RED = '#d64a3f';
const AMBER = '#d98a0b';
const BLUE = '#3a78e0';
const GREY = '#7d8b9f';
const VIOLET = '#7a5cd6';
const ROUND = 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z';
const SQUARE = 'M6 2h12a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4V6a4 4 0 0 1 4-4z';
const OCTAGON = 'M8 2h8l6 6v8l-6 6H8l-6-6V8z';
const BELL = 'M7 16V11a5 5 0 0 1 10 0v5l1.500 1.500h-13zM10.500 19.500h3';

// Ground colour, ground, and what is drawn on it in white.
const SIGNS: Record<string, [colour: string, ground: string, mark: string]> = {
  '✅': [GREEN, SQUARE, 'M6.500 12.500l4 4 7-9'],
  '❌': [RED, SQUARE, 'M7.500 7.500l9 9M16.500 7.500l-9 9'],
  '❔': [GREY, ROUND, 'M9 9.500a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.100-1.500 2.200M12 17.500v.2'],
  '⏳': [AMBER, ROUND, 'M12 6.500V12l3.500 2.500'],
  '⚠': [AMBER, 'M12 2.500L23 21.500H1z', 'M12 9.500v5M12 18v.2'],
  ℹ: [BLUE, SQUARE, 'M12 11v6M12 7v.2'],
  '↩': [BLUE, SQUARE, 'M10 7l-4 4 4 4M6 11h8a4 4 0 0 1 0 7'],
  '⛔': [RED, ROUND, 'M7 12h10'],
  '📉': [RED, SQUARE, 'M5.500 7l5 5 3-3 5 7M18.500 12v4h-4'],
  '📅': [BLUE, SQUARE, 'M6 9.500h12M9 5.500v3M15 5.500v3M8 14h3'],
  '⭐': [
    AMBER,
    'M12 1.800l3.100 6.500 7.100 1-5.200 5 1.300 7.100L12 18l-6.300 3.400L7 14.300l-5.200-5 7.100-1z',
    '',
  ],
  '🧪': [VIOLET, SQUARE, 'M10 6h4M10.500 6v4.500L7.500 17h9l-3-6.500V6M9 14.500h6'],
  '🛑': [RED, OCTAGON, 'M8 12h8'],
  '🧯': [RED, SQUARE, 'M9.500 10h5v8h-5zM12 10V7M12 7h4M12 7l-3 2'],
  '⏹': [BLUE, SQUARE, 'M9 9h6v6H9z'],
  '🖥': [BLUE, SQUARE, 'M6 7h12v8H6zM12 15v3M9.500 18h5'],
  '🔔': [AMBER, ROUND, BELL],
  '🔕': [GREY, ROUND, `${BELL}M6 6l12 12`],
  '🆕': [BLUE, SQUARE, 'M8 16V8l8 8V8'],
  '💫': [AMBER, ROUND, 'M12 7v10M7 12h10M9 9l6 6M15 9l-6 6'],
  '🎮': [VIOLET, SQUARE, 'M7 12h4M9 10v4M15 11v.2M17 13v.2'],
};
const FOUND = new RegExp(`(${Object.keys(SIGNS).join('|')})\\uFE0F?`, 'gu');

/** Escaped text with the signs among it drawn; a sign itself stays in the text, unseen, for whoever copies or listens. */
export const withSigns = (text: string): string => text.replace(FOUND, (_, sign: string) => draw(sign));

function draw(sign: string): string {
  const [colour, ground, mark] = SIGNS[sign] ?? [];
  return `<span class="sign"><span class="sign-text">${sign}</span><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ground}" fill="${colour}"></path><path d="${mark}" class="sign-mark"></path></svg></span>`;
}

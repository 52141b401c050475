// The signs that the bot uses, drawn here as Telegram draws its own: the same on every machine, fonts or none.
import { el } from './dom.js';

const GREEN = '#1f9d57';
const RED = '#d64a3f';
const AMBER = '#d98a0b';
const BLUE = '#3a78e0';
const GREY = '#7d8b9f';
const ROUND = 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z';
const SQUARE = 'M6 2h12a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4V6a4 4 0 0 1 4-4z';

// Ground colour, ground, and what is drawn on it in white.
const SIGNS = {
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
};
const FOUND = new RegExp(`(${Object.keys(SIGNS).join('|')})\\uFE0F?`, 'u');

/** The text as nodes, with the signs among it drawn. */
export function withSigns(text) {
  const out = document.createDocumentFragment();
  for (const piece of text.split(FOUND)) {
    const sign = SIGNS[piece];
    if (sign) out.append(draw(piece, sign));
    else if (piece !== '') out.append(piece);
  }
  return out;
}

function draw(name, [colour, ground, mark]) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = (d, attributes) => {
    const made = document.createElementNS(space, 'path');
    for (const [key, value] of Object.entries({ d, ...attributes })) made.setAttribute(key, value);
    svg.append(made);
  };
  path(ground, { fill: colour });
  if (mark !== '') {
    const line = { fill: 'none', stroke: '#fff', 'stroke-width': '2.600' };
    path(mark, { ...line, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' });
  }
  // The sign itself stays in the text, unseen, for whoever copies or listens.
  return el('span', { class: 'sign' }, el('span', { class: 'sign-text', text: name }), svg);
}

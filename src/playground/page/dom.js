// Elements made in one call, and the icons. Text goes in as text nodes only.

/** Makes an element: `on…` keys are listeners, `class`, `text` and attributes are set; children are appended. */
export function el(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (name === 'class') made.className = value;
    else if (name === 'text') made.textContent = value;
    else made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

/** The element that the page's HTML has under this id. */
export function byId(id) {
  return document.getElementById(id);
}

const PATHS = {
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6L6 18',
  send: 'M4 12l16-8-5 16-3.500-6.500z',
  attach:
    'M20 11l-8.500 8.500a5 5 0 0 1-7-7L13 4a3.300 3.300 0 0 1 4.700 4.700L9.500 17a1.700 1.700 0 0 1-2.400-2.400L14.500 7',
  menu: 'M4 7h16M4 12h16M4 17h10',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  link: 'M8 16L17 7M9 7h8v8',
  down: 'M6 9l6 6 6-6',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500L19 19M5 19l1.500-1.500M17.500 6.500L19 5',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500z',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  code: 'M4 8h16v8H4zM8 8v8M16 8v8',
  charge: 'M13 3L6 13.500h5L10 21l7.500-11H12z',
  redemption: 'M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5',
  process: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  platform: 'M4 5h16v6H4zM4 13h16v6H4zM7.500 8h.1M7.500 16h.1',
  update: 'M4 6h16v12H4zM4 7l8 6 8-6',
  payment: 'M3 6h18v12H3zM3 10h18M6.500 14.500h4',
  clock: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM12 7.500V12l3.500 2',
  run: 'M8 5l11 7-11 7z',
};

/** A line drawing; decoration only, so a button with nothing else needs a label of its own. */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', PATHS[name] ?? PATHS.update);
  svg.append(path);
  return svg;
}

/** Hours and minutes, as a bubble shows them. */
export function timeOf(at) {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false });
}

/** Runs `change`, and keeps a list at its newest end when it stood there before. */
export function keepAtEnd(scroller, change) {
  const atEnd = isAtEnd(scroller);
  change();
  if (atEnd) scroller.scrollTop = scroller.scrollHeight;
}

/** Whether the newest is in sight. */
export function isAtEnd(scroller) {
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 48;
}

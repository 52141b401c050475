// The house as a table: which floor may import which, and in which order the rooms of a floor stand above each other.
// `npm run lint` holds it, types included, together with: no circle of files. README shows the same table.

const LEAVES = ['clock', 'ids', 'log', 'rate-limit', 'ticking', 'turns', 'waiting'];

/** Each floor: its files (of src/), what it may import, what it may take types of, and what the README says of it. */
export const FLOORS = [
  {
    name: '`clock.ts` `ids.ts` `log.ts` `rate-limit.ts` `ticking.ts` `turns.ts` `waiting.ts` (leaves), `config.ts`',
    path: `(${[...LEAVES, 'config'].join('|')})\\.ts$`,
    may: [],
    about: 'know nothing of the product',
  },
  { name: '`store/`', path: 'store/', may: ['leaves'], about: 'what is kept, and nothing about why' },
  {
    name: '`platform/`',
    path: 'platform/',
    may: ['leaves'],
    about: 'the top-up platform: a port and its two adapters',
  },
  {
    name: '`core/`',
    path: 'core/',
    may: ['leaves'],
    types: ['store/index.ts', 'platform/port.ts'],
    about: 'what the product can do',
  },
  {
    name: '`http/`',
    path: 'http/',
    may: ['leaves', 'core/index.ts'],
    about: 'the HTTP interface: `routes/`, and in `wire/` the schemas that validate and document',
  },
  {
    name: '`bot/`',
    path: 'bot/',
    may: ['leaves', 'core/index.ts'],
    types: ['store/bot-store.ts'],
    about: 'the Telegram bot; its words in `locales/`',
  },
  {
    name: '`webhooks/`',
    path: 'webhooks/',
    may: ['leaves', 'core/index.ts'],
    about: 'the sender of webhooks: addresses looked at and pinned, signed, repeated',
  },
  {
    name: '`playground/`',
    path: 'playground/',
    may: ['everything but `main.ts`'],
    about: 'a local Telegram for a few people, and the page; only tests import it',
  },
  {
    name: '`main.ts` `app.ts` `backups.ts` `first-start.ts` `measuring.ts` `cli.ts` `cli/`',
    path: '((main|app|backups|first-start|measuring|cli)\\.ts$|cli/)',
    may: ['everything but `playground/`'],
    about: 'the program, its composition, the commands of the host',
  },
];

/** The rooms of each floor from the roof down: none imports one above it or beside it. `base`: files in no room. */
export const ROOMS = {
  store: [['bot-store.ts'], ['index.ts'], ['backup'], ['tables'], ['schema'], ['engine']],
  platform: [['sandbox', 'upstream'], ['port.ts']],
  core: [
    ['index.ts'],
    ['background.ts', 'health.ts'],
    ['stock'],
    ['redemption'],
    ['quota'],
    ['accounts'],
    ['notices', 'receipts'],
    ['orders', 'paste'],
    ['base'],
  ],
  http: [['server.ts'], ['routes'], ['base'], ['wire']],
  bot: [
    ['index.ts'],
    ['features.ts'],
    ['basics', 'host'],
    ['redemption'],
    ['accounts'],
    ['stock', 'receipts', 'statistics'],
    ['billing'],
    ['outbox'],
    ['inbox'],
    ['telegram'],
    ['prompts'],
    ['base'],
  ],
  playground: [['base'], ['telegram']],
};

const escape = (text) => text.replaceAll('.', '\\.');
const SOURCES = { path: '^src/', pathNot: '\\.test\\.ts$' };

function floorRules({ name, path, may, types = [] }) {
  const from = { path: `^src/${path}`, pathNot: '\\.test\\.ts$' };
  const rule = (to, comment) => ({ name: `floor ${name}`, severity: 'error', comment, from, to });
  const forbidden = may.find((entry) => entry.startsWith('everything but'));
  if (forbidden) {
    const [, place] = /`(.+)`/.exec(forbidden);
    return [rule({ path: `^src/${escape(place)}` }, `may not import ${place}`)];
  }
  const open = may.map((entry) => (entry === 'leaves' ? `(${LEAVES.join('|')})\\.ts$` : escape(entry)));
  const typed = types.map(escape);
  return [
    rule(
      { path: '^(src|test)/', pathNot: [path, ...open, ...typed].map((place) => `^src/${place}`) },
      `may import ${[...may, ...types].join(', ') || 'packages'} only`,
    ),
    ...typed.map((place) =>
      rule({ path: `^src/${place}`, dependencyTypesNot: ['type-only'] }, 'may take types of it only'),
    ),
  ];
}

function roomRules([floor, tiers]) {
  const rooms = tiers.flat();
  const files = rooms.filter((room) => room.endsWith('.ts'));
  const place = (room) => {
    if (room.endsWith('.ts')) return { path: `^src/${floor}/${escape(room)}$` };
    if (room !== 'base') return { path: `^src/${floor}/${room}/` };
    return {
      path: `^src/${floor}/[^/]+\\.ts$`,
      pathNot: files.map((file) => `^src/${floor}/${escape(file)}$`),
    };
  };
  return tiers.flatMap((tier, height) =>
    tier.flatMap((room) =>
      [...tiers.slice(0, height).flat(), ...tier.filter((other) => other !== room)].map((above) => {
        const { path, pathNot = [] } = place(room);
        return {
          name: `room ${floor}/${room} below ${floor}/${above}`,
          severity: 'error',
          from: { path, pathNot: [...pathNot, '\\.test\\.ts$'] },
          to: place(above),
        };
      }),
    ),
  );
}

/** The rows of the README's table of floors. */
export const describeFloors = () =>
  FLOORS.map(({ name, about, may, types = [] }) => {
    const places = [...may.map(code), ...types.map((place) => `types of ${code(place)}`)];
    return `| ${name} | ${about} | ${places.join(', ') || 'packages'} |`;
  });

/** The rows of the README's table of rooms. */
export const describeRooms = () =>
  Object.entries(ROOMS).map(
    ([floor, tiers]) => `| \`${floor}/\` | ${tiers.map((tier) => tier.join(', ')).join(' → ')} |`,
  );

const code = (place) => (/[/.]/.test(place) && !place.includes('`') ? `\`${place}\`` : place);

export default {
  forbidden: [
    { name: 'circle', severity: 'error', from: SOURCES, to: { circular: true } },
    ...FLOORS.flatMap(floorRules),
    ...Object.entries(ROOMS).flatMap(roomRules),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.test\\.ts$' },
  },
};

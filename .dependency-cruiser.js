// The architecture as a table: which layer may import which, and in which order the modules of a layer stand above each other.
// `npm run lint` holds it, types included, together with: no circle of files. CONTRIBUTING.md shows the same table.

const UTILITIES = [
  'addresses',
  'chart',
  'clock',
  'concurrency-limit',
  'csv',
  'fair-queue',
  'files',
  'ids',
  'locales',
  'log',
  'moments',
  'outgoing',
  'rate-limit',
  'ticking',
  'turns',
  'waiting',
];

/** Each layer: its files (of src/), what it may import, what it may take types of, and what CONTRIBUTING.md says of it. */
export const LAYERS = [
  {
    name: '`addresses.ts` `chart.ts` `clock.ts` `concurrency-limit.ts` `csv.ts` `fair-queue.ts` `files.ts` `ids.ts` `locales.ts` `log.ts` `moments.ts` `outgoing.ts` `rate-limit.ts` `ticking.ts` `turns.ts` `waiting.ts` (utilities), `config.ts` `config-values.ts` `setting-names.ts`',
    path: `(${[...UTILITIES, 'config', 'config-values', 'setting-names'].join('|')})\\.ts$`,
    may: [],
    about: 'know nothing of the product',
  },
  {
    name: '`pictures/`',
    path: 'pictures/',
    may: ['utilities'],
    about: 'what is drawn: fonts, and PNGs of SVGs',
  },
  { name: '`store/`', path: 'store/', may: ['utilities'], about: 'what is kept, and nothing about why' },
  {
    name: '`platform/`',
    path: 'platform/',
    may: ['utilities'],
    about: 'the top-up platform: a port and its three adapters',
  },
  {
    name: '`core/`',
    path: 'core/',
    may: ['utilities'],
    types: ['store/index.ts', 'platform/port.ts'],
    about: 'what the product can do',
  },
  {
    name: '`http/`',
    path: 'http/',
    may: ['utilities', 'pictures/', 'core/index.ts', 'wire/'],
    about: 'the HTTP interface: who may enter, and in `routes/` what is answered',
  },
  {
    name: '`wire/`',
    path: 'wire/',
    may: ['utilities', 'core/index.ts'],
    about: 'what programs send and are told: schemas that validate and document, and how records are worded',
  },
  {
    name: '`bot/`',
    path: 'bot/',
    may: ['utilities', 'pictures/', 'core/index.ts'],
    types: ['store/bot-store.ts'],
    about: 'the Telegram bot; its words in `locales/`',
  },
  {
    name: '`console/`',
    path: 'console/',
    may: ['utilities', 'core/index.ts'],
    about: 'the console: pages made on the server, a screen a file; its words in `locales/`',
  },
  {
    name: '`webhooks/`',
    path: 'webhooks/',
    may: ['utilities', 'core/index.ts', 'wire/'],
    about: 'the sender of webhooks: addresses looked at and pinned, signed, repeated',
  },
  {
    name: '`main.ts` `app.ts` `platforms.ts` `upstreams.ts` `backups.ts` `backup-files.ts` `first-start.ts` `measuring.ts` `cli.ts` `cli/`',
    path: '((main|app|platforms|upstreams|backups|backup-files|first-start|measuring|cli)\\.ts$|cli/)',
    may: ['everything in `src/`'],
    about: 'the program, its composition, the commands of the host',
  },
];

/** The modules of each layer from the top down: none imports one above it or beside it. `base`: files in no module. */
export const MODULES = {
  store: [['bot-store.ts'], ['index.ts'], ['backup'], ['tables'], ['schema'], ['engine']],
  platform: [['profiles', 'sandbox', 'upstream'], ['base'], ['port.ts']],
  core: [
    ['index.ts'],
    ['background.ts', 'health.ts', 'acting.ts', 'reading.ts'],
    ['claims'],
    ['stock', 'orders'],
    ['redemption'],
    ['quota'],
    ['accounts', 'upstreams'],
    ['notices', 'receipts'],
    ['order-texts', 'paste', 'tasks'],
    ['base'],
  ],
  http: [['server.ts'], ['routes'], ['base']],
  bot: [
    ['index.ts'],
    ['router.ts', 'features.ts'],
    ['basics', 'host'],
    ['claims'],
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
  console: [['index.ts'], ['screens'], ['entering'], ['lists'], ['parts'], ['base']],
};

const escape = (text) => text.replaceAll('.', '\\.');
const SOURCES = { path: '^src/', pathNot: '\\.test\\.ts$' };

function layerRules({ name, path, may, types = [] }) {
  const from = { path: `^src/${path}`, pathNot: '\\.test\\.ts$' };
  const rule = (to, comment) => ({ name: `layer ${name}`, severity: 'error', comment, from, to });
  const outside = { path: '^(playground|test)/' };
  if (may.includes('everything in `src/`')) return [rule(outside, 'may not import the playground or tests')];
  const open = may.map((entry) => (entry === 'utilities' ? `(${UTILITIES.join('|')})\\.ts$` : escape(entry)));
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

function moduleRules([layer, tiers]) {
  const modules = tiers.flat();
  const files = modules.filter((module) => module.endsWith('.ts'));
  const place = (module) => {
    if (module.endsWith('.ts')) return { path: `^src/${layer}/${escape(module)}$` };
    if (module !== 'base') return { path: `^src/${layer}/${module}/` };
    return {
      path: `^src/${layer}/[^/]+\\.ts$`,
      pathNot: files.map((file) => `^src/${layer}/${escape(file)}$`),
    };
  };
  return tiers.flatMap((tier, height) =>
    tier.flatMap((module) =>
      [...tiers.slice(0, height).flat(), ...tier.filter((other) => other !== module)].map((above) => {
        const { path, pathNot = [] } = place(module);
        return {
          name: `module ${layer}/${module} below ${layer}/${above}`,
          severity: 'error',
          from: { path, pathNot: [...pathNot, '\\.test\\.ts$'] },
          to: place(above),
        };
      }),
    ),
  );
}

/** The rows of CONTRIBUTING.md's table of layers. */
export const describeLayers = () =>
  LAYERS.map(({ name, about, may, types = [] }) => {
    const places = [...may.map(code), ...types.map((place) => `types of ${code(place)}`)];
    return `| ${name} | ${about} | ${places.join(', ') || 'packages'} |`;
  });

/** The rows of CONTRIBUTING.md's table of modules. */
export const describeModules = () =>
  Object.entries(MODULES).map(
    ([layer, tiers]) => `| \`${layer}/\` | ${tiers.map((tier) => tier.join(', ')).join(' → ')} |`,
  );

const code = (place) => (/[/.]/.test(place) && !place.includes('`') ? `\`${place}\`` : place);

export default {
  forbidden: [
    { name: 'circle', severity: 'error', from: SOURCES, to: { circular: true } },
    ...LAYERS.flatMap(layerRules),
    ...Object.entries(MODULES).flatMap(moduleRules),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.test\\.ts$' },
  },
};

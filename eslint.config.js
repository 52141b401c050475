// The rules of the house. `npm run lint` holds the import table of the README, the size of files and functions,
// and that promises are awaited and switches are complete.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const noProcess = [
  { name: 'process', message: 'Only main, cli, config and playground/main know the process.' },
];

/** A row of the import table: what files under `from` must not import. */
function forbid(from, groups, extra = {}) {
  return {
    files: from,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'node:process', message: 'Only main, cli, config and playground/main know the process.' },
          ],
          patterns: groups.map((group) => ({ ...group })),
        },
      ],
    },
    ...extra,
  };
}

const never = (message, ...group) => ({ group, message });
const typesOnly = (message, ...group) => ({ group, message, allowTypeImports: true });

/** What the playground's page uses of a browser. */
const browserGlobals = [
  'document',
  'window',
  'navigator',
  'localStorage',
  'matchMedia',
  'performance',
  'fetch',
  'setTimeout',
  'EventSource',
  'CustomEvent',
  'DOMParser',
  'FileReader',
  'Node',
];

export default tseslint.config(
  { ignores: ['node_modules', 'data', 'drizzle/meta', 'coverage'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ['eslint.config.js'] } },
      globals: { process: 'readonly', console: 'readonly', Buffer: 'readonly', URL: 'readonly' },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      // Verbs are closures over their dependencies: they have no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  { files: ['src/**/*.ts'], rules: { 'no-restricted-globals': ['error', ...noProcess] } },
  {
    files: [
      'src/main.ts',
      'src/cli.ts',
      'src/config.ts',
      'src/playground/main.ts',
      'src/playground/service.ts',
      'src/bot/statistics/drawing.ts',
    ],
    rules: { 'no-restricted-globals': 'off' },
  },
  forbid(
    ['src/*.ts'],
    [
      never(
        'Leaves and config know nothing of the product.',
        '**/core/**',
        '**/store/**',
        '**/platform/**',
        '**/http/**',
        '**/bot/**',
        '**/playground/**',
      ),
    ],
    { ignores: ['src/main.ts', 'src/app.ts', 'src/cli.ts', 'src/*.test.ts'] },
  ),
  forbid(
    ['src/store/**/*.ts', 'src/platform/**/*.ts'],
    [
      never(
        'The store and the platform import leaves only.',
        '**/core/**',
        '**/http/**',
        '**/bot/**',
        '**/playground/**',
        '**/app.ts',
        '**/config.ts',
        '**/main.ts',
        '**/cli.ts',
      ),
    ],
    { ignores: ['**/*.test.ts'] },
  ),
  forbid(
    ['src/store/**/*.ts'],
    [
      never('The store does not know the platform.', '**/platform/**'),
      never(
        'The store imports leaves only.',
        '**/core/**',
        '**/http/**',
        '**/bot/**',
        '**/playground/**',
        '**/app.ts',
        '**/config.ts',
      ),
    ],
    { ignores: ['**/*.test.ts'] },
  ),
  forbid(
    ['src/platform/**/*.ts'],
    [
      never('The platform does not know the store.', '**/store/**'),
      never(
        'The platform imports leaves only.',
        '**/core/**',
        '**/http/**',
        '**/bot/**',
        '**/playground/**',
        '**/app.ts',
        '**/config.ts',
      ),
    ],
    { ignores: ['**/*.test.ts'] },
  ),
  forbid(
    ['src/core/**/*.ts'],
    [
      typesOnly(
        'The core takes types only of store/index.ts and platform/port.ts.',
        '**/store/index.ts',
        '**/platform/port.ts',
      ),
      never(
        'The core takes types only of store/index.ts and platform/port.ts.',
        '**/store/!(index).ts',
        '**/platform/!(port).ts',
      ),
      never(
        'The core does not know its surfaces.',
        '**/http/**',
        '**/bot/**',
        '**/playground/**',
        '**/app.ts',
        '**/config.ts',
      ),
    ],
    { ignores: ['**/*.test.ts'] },
  ),
  forbid(
    ['src/http/**/*.ts', 'src/bot/**/*.ts'],
    [
      never('A surface reaches the core through core/index.ts.', '**/core/!(index).ts'),
      never(
        'A surface knows neither store nor platform.',
        '**/store/**',
        '**/platform/**',
        '**/playground/**',
        '**/app.ts',
        '**/config.ts',
      ),
    ],
    { ignores: ['**/*.test.ts'] },
  ),
  forbid(
    ['src/http/**/*.ts'],
    [
      never('A surface reaches the core through core/index.ts.', '**/core/!(index).ts'),
      never(
        'HTTP knows neither bot, store nor platform.',
        '**/bot/**',
        '**/store/**',
        '**/platform/**',
        '**/playground/**',
        '**/app.ts',
        '**/config.ts',
      ),
    ],
    { ignores: ['**/*.test.ts'] },
  ),
  forbid(
    ['src/bot/**/*.ts'],
    [
      never('A surface reaches the core through core/index.ts.', '**/core/!(index).ts'),
      never(
        'The bot knows neither HTTP, store nor platform.',
        '**/http/**',
        '**/store/**',
        '**/platform/**',
        '**/playground/**',
        '**/app.ts',
        '**/config.ts',
      ),
    ],
    { ignores: ['**/*.test.ts'] },
  ),
  forbid(
    ['src/main.ts', 'src/app.ts', 'src/cli.ts'],
    [never('Nothing but tests imports the playground.', '**/playground/**')],
  ),
  {
    files: ['test/**/*.ts', '**/*.test.ts'],
    rules: {
      'max-lines': ['error', { max: 500 }],
      'max-lines-per-function': 'off',
      '@typescript-eslint/require-await': 'off',
      'no-console': 'off',
      'no-restricted-globals': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  { files: ['*.js', 'src/playground/page/**/*.js'], extends: [tseslint.configs.disableTypeChecked] },
  {
    files: ['src/playground/page/**/*.js'],
    languageOptions: {
      parserOptions: { projectService: false },
      globals: Object.fromEntries(browserGlobals.map((name) => [name, 'readonly'])),
    },
  },
);

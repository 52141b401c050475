// The rules of the code: the size of files and functions, who knows the process, that promises are awaited and switches are
// complete. Which file may import which is in .dependency-cruiser.js; `npm run lint` holds both.
import js from '@eslint/js';
import * as regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const noProcess = {
  name: 'process',
  message: 'Only main, cli, config and playground/main know the process.',
};

const noFakes = {
  selector: 'CallExpression[callee.name=/^(fake|createRecordedContext)$/], TSAsExpression > TSNeverKeyword',
  message:
    'Tests run over the real store and core, the bot by its chats, the wire by its exchanges, not over fakes of our own code.',
};

const noPolling = {
  selector: 'MemberExpression[property.name=/^(poll|waitFor|waitUntil)$/][object.name=/^(expect|vi)$/]',
  message:
    'What goes on by itself is waited for by what it does: a commit (`until` of the harness), an order that arrives.',
};

/** What the pages use of a browser. */
const browserGlobals = [
  'document',
  'window',
  'navigator',
  'fetch',
  'setTimeout',
  'EventSource',
  'DOMParser',
  'FormData',
  'history',
  'location',
  'URLSearchParams',
  'Node',
];

/** How a pattern is written is the writer's: these change nothing of what it does. */
const patternsAsWritten = [
  ...['match-any', 'negation', 'no-obscure-range', 'no-unused-capturing-group', 'prefer-character-class'],
  ...['prefer-d', 'prefer-predefined-assertion', 'prefer-w', 'use-ignore-case'],
];

export default tseslint.config(
  { ignores: ['node_modules', 'data', 'drizzle/meta', 'coverage', 'dist', 'clients/typescript/src/api.ts'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  regexp.configs['flat/recommended'],
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js', '.dependency-cruiser.js', 'src/*.cjs'] },
      },
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
      'max-lines': ['error', { max: 500, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      // A pattern over what people write takes time in proportion to its length; test/hostile-texts.test.ts holds it, too.
      'regexp/no-super-linear-move': 'error',
      ...Object.fromEntries(patternsAsWritten.map((rule) => [`regexp/${rule}`, 'off'])),
      eqeqeq: 'error',
    },
  },
  {
    files: ['{src,playground}/**/*.ts'],
    ignores: ['src/clock.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['Date', 'performance'].map((object) => ({
          object,
          property: 'now',
          message: 'Time is told by src/clock.ts.',
        })),
      ],
    },
  },
  {
    files: ['{src,playground}/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', noProcess],
      'no-restricted-imports': ['error', { paths: [{ ...noProcess, name: 'node:process' }] }],
    },
  },
  {
    files: ['src/main.ts', 'src/cli.ts', 'src/cli/**', 'src/config.ts', 'playground/main.ts'],
    rules: { 'no-restricted-globals': 'off', 'no-restricted-imports': 'off' },
  },
  {
    files: ['test/**/*.ts', '**/*.test.ts'],
    rules: {
      // Tests read the service's own words.
      'regexp/no-super-linear-move': 'off',
      'regexp/no-super-linear-backtracking': 'off',
      'regexp/optimal-quantifier-concatenation': 'off',
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
  {
    // What people see is said by chats and scenarios (CONTRIBUTING, Where a test goes); a machine runs over the real store.
    files: ['{src,playground,clients}/**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', noFakes, noPolling] },
  },
  {
    // Disks, locks, threads and processes of the machine, and a clock that each look moves.
    files: [
      'src/store/engine/*.test.ts',
      'src/{main,core/orders/places}.test.ts',
      'playground/playground.test.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', noFakes] },
  },
  {
    files: ['*.js', '.*.js', 'playground/page.js', 'src/console/assets/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    files: ['src/*.cjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { require: 'readonly' } },
    rules: { '@typescript-eslint/no-require-imports': 'off', 'no-restricted-globals': 'off' },
  },
  {
    files: ['playground/page.js', 'src/console/assets/*.js'],
    languageOptions: {
      parserOptions: { projectService: false },
      globals: Object.fromEntries(browserGlobals.map((name) => [name, 'readonly'])),
    },
  },
);

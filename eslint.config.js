import js from '@eslint/js';
import boundaries from 'eslint-plugin-boundaries';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { handledPromises } from './scripts/lint/handled-promises.js';
import { PROGRAM_FOLDERS } from './scripts/program-folders.js';

/**
 * The dependency rule: domain <- application <- adapters <- infrastructure. Adapters do not know one
 * another; they may share what knows none of them. The two inner layers import no package at all. The command line and
 * the dashboard are clients of the API, and know nothing of the service but the values of the domain.
 * test/project/dependency-rule.test.ts probes that the rule really fires.
 */
const programsIn = (folder) => [`${folder}/**/*.ts`, `${folder}/**/*.tsx`];
const layer = (...types) => ({ to: { element: { type: types } } });

/** The inner layers consist of rooms, beside which stand the errors of the domain and the sum of the use cases. */
const domain = layer('domain', 'errors');
const values = { to: { element: { type: 'domain', captured: { room: 'values' } } } };
const application = layer('application', 'use-cases');

/** The rooms of the domain, top down: each knows those in the lines above its own, and no other. */
const DOMAIN_ROOMS = [
  ['values'],
  ['queues'],
  ['access', 'groups', 'limits'],
  ['calls', 'events', 'audit'],
  ['jobs', 'figures'],
  ['policies'],
  ['flows', 'schedulers', 'topics'],
  ['steps'],
  ['attempts'],
  ['workers', 'system', 'records'],
  ['hooks', 'messages'],
  ['deliveries'],
  ['digests', 'batches', 'transitions'],
];

/** The rooms of the application, in the same order. */
const APPLICATION_ROOMS = [
  ['ports'],
  ['kept'],
  ['running', 'events', 'health', 'audit'],
  ['secrets'],
  ['attempts', 'policies', 'access'],
  ['callbacks', 'maintenance'],
  ['destinations'],
  ['steps'],
  ['calls', 'pulls', 'flows', 'queues', 'groups', 'limits'],
  ['jobs', 'schedulers', 'figures', 'topics'],
  ['messages', 'workers', 'system', 'digests'],
  ['deliveries', 'pushes'],
  ['hooks'],
  ['operations'],
];

/** The rooms of the Redis store, in the same order. */
const REDIS_ROOMS = [
  ['layout'],
  ['lua'],
  ['scripts'],
  ['connection'],
  ['access', 'audit', 'figures', 'groups', 'jobs', 'kept', 'policies', 'registry'],
  ['expiry', 'scan', 'schedulers', 'signals', 'system', 'wakeups', 'workers'],
  ['events', 'flows'],
  ['attempts', 'control', 'endings'],
  ['steps'],
];
const packages = { to: { module: { origin: ['external', 'core'] } } };
const sameAdapter = {
  to: {
    element: {
      type: 'adapter',
      captured: {
        side: '{{from.element.captured.side}}',
        name: '{{from.element.captured.name}}',
      },
    },
  },
};
const memoryStore = {
  to: { element: { type: 'adapter', captured: { side: 'outbound', name: 'memory' } } },
};
const typesOfAnswers = { ...layer('client'), dependency: { kind: 'type' } };

/**
 * What the files of a folder may know, beside their own room. The folders below have places of their own, so that ESLint
 * holds a dependency against the targets of one place, and not against those of all.
 */
const place = (folder, ...targets) => ({
  files: programsIn(folder),
  rules: {
    'boundaries/dependencies': [
      'error',
      { default: 'disallow', checkAllOrigins: true, policies: [{ allow: targets }] },
    ],
  },
});

/** Rooms of one line may know the same: what their layer may, and the rooms above. */
const placesOfRooms = (folder, type, rooms, ...targets) =>
  rooms.flatMap((line, index) => {
    const above = { to: { element: { type, captured: { room: rooms.slice(0, index).flat() } } } };
    const known = index === 0 ? targets : [...targets, above];
    return line.map((room) => place(`${folder}/${room}`, ...known));
  });

const layers = {
  plugins: { boundaries },
  files: PROGRAM_FOLDERS.flatMap(programsIn),
  settings: {
    'import/resolver': { typescript: { alwaysTryTypes: true } },
    'boundaries/elements': [
      { type: 'domain', pattern: 'src/domain/*', capture: ['room'] },
      { type: 'errors', pattern: 'src/domain' },
      { type: 'application', pattern: 'src/application/*', capture: ['room'] },
      { type: 'use-cases', pattern: 'src/application' },
      { type: 'shared', pattern: 'src/adapters/shared' },
      { type: 'redis', pattern: 'src/adapters/outbound/redis/*', capture: ['room'] },
      { type: 'exchange', pattern: 'src/adapters/inbound/exchange' },
      { type: 'adapter', pattern: 'src/adapters/*/*', capture: ['side', 'name'] },
      { type: 'client-rules', pattern: 'clients/rules' },
      { type: 'command-line', pattern: 'clients/command-line' },
      { type: 'client', pattern: 'clients/typescript' },
      { type: 'dashboard', pattern: 'clients/dashboard' },
      { type: 'infrastructure', pattern: 'src/infrastructure' },
    ],
  },
  rules: { 'boundaries/no-unknown-files': 'error' },
};

/** What all that stands outside of the application may know. */
const outside = [domain, application, layer('shared'), packages];

/** From the outside in: the innermost place of a file counts. */
const places = [
  place('src/domain'),
  ...placesOfRooms('src/domain', 'domain', DOMAIN_ROOMS, layer('errors')),
  place('src/application', layer('application')),
  ...placesOfRooms('src/application', 'application', APPLICATION_ROOMS, domain),
  place('src/adapters', ...outside, sameAdapter),
  place('src/adapters/shared', ...outside),
  // What all interfaces do with a request and its answer stands in one room.
  place('src/adapters/inbound', ...outside, sameAdapter, layer('exchange')),
  place('src/adapters/inbound/exchange', ...outside, layer('exchange')),
  // The embedded store is the memory store with a file, the PostgreSQL store the same with a log.
  place('src/adapters/outbound/{embedded,postgres}', ...outside, sameAdapter, memoryStore),
  place('src/adapters/outbound/redis', ...outside),
  ...placesOfRooms('src/adapters/outbound/redis', 'redis', REDIS_ROOMS, ...outside),
  place(
    'src/infrastructure',
    ...outside,
    layer('exchange', 'adapter', 'redis', 'command-line', 'infrastructure'),
  ),
  place('clients/rules'),
  place('clients/command-line', layer('command-line', 'client', 'client-rules'), values, packages),
  // The dashboard has its own requests, for the session of a browser.
  place('clients/dashboard', layer('dashboard', 'client-rules'), values, packages, typesOfAnswers),
];

/** What the platform offers reaches the two inner layers through ports, so that a test can hold it. */
const PLATFORM = [
  'Buffer',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'console',
  'fetch',
  'performance',
  'process',
  'setImmediate',
  'setInterval',
  'setTimeout',
];
const plainTypeScript = {
  files: ['src/domain/**/*.ts', 'src/application/**/*.ts'],
  rules: { 'no-restricted-globals': ['error', ...PLATFORM] },
};

/** A rejection that nobody awaits ends the process; test/project/handled-promises.test.ts probes the rule. */
const promises = {
  files: PROGRAM_FOLDERS.map((folder) => `${folder}/**/*.ts`),
  plugins: { jobgate: { rules: { 'handled-promises': handledPromises } } },
  rules: { 'jobgate/handled-promises': 'error' },
};

/** The rooms of the HTTP adapter: all know messages, the API mounts the site, and the server is alone. */
const room = (name, ...forbidden) => ({
  files: [`src/adapters/inbound/http/${name}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: forbidden.map((other) => ({ group: [`../**/${other}/**`] })) },
    ],
  },
});

/**
 * What callers may do, and who may do what, is decided by operations alone, whichever way they come in
 * (docs/adr/0036). test/project/dependency-rule.test.ts probes the rule.
 */
const waysIn = {
  files: ['src/adapters/inbound/**/*.ts'],
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            group: [
              '**/application/**',
              '!**/application/operations',
              '!**/application/operations/**',
            ],
            allowTypeImports: true,
            message:
              'A way in performs operations, and knows nothing else of the use cases but types.',
          },
        ],
      },
    ],
  },
};

/** The rooms of the memory store: the adapters of ports know its state and records, which know nothing of them. */
const memoryState = {
  files: ['src/adapters/outbound/memory/{state,records}/**/*.ts'],
  rules: { 'no-restricted-imports': ['error', { patterns: [{ group: ['../ports/**'] }] }] },
};

export default defineConfig(
  { ignores: ['dist', 'clients/*/dist', 'coverage', 'node_modules', 'examples/**/*.js'] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  layers,
  places,
  plainTypeScript,
  promises,
  waysIn,
  room('messages', 'server', 'api', 'site'),
  room('server', 'api', 'site'),
  room('site', 'server', 'api'),
  room('api', 'server'),
  memoryState,
  {
    files: ['test/**/*.ts'],
    rules: {
      // chai's assertions are expressions.
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: { fetch: 'readonly', setTimeout: 'readonly', clearTimeout: 'readonly' },
    },
  },
  {
    files: ['scripts/site/browser.js'],
    languageOptions: {
      globals: {
        document: 'readonly',
        location: 'readonly',
        matchMedia: 'readonly',
        Option: 'readonly',
      },
    },
  },
);

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import symbols from 'undici/lib/core/symbols.js';
import { PROGRAM_FOLDERS } from '../../scripts/program-folders.js';

const ROOT = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

interface PrivateParts {
  /** The version in which they were seen to be as they are used. */
  readonly version: string;
  /** Paths within the package that it does not offer. */
  readonly modules: readonly string[];
}

/**
 * All that the service uses of packages without their promise. Before a version changes here, look at each part in the
 * new one: a rule of versions holds for what a package offers, and for nothing else.
 */
const PRIVATE: Readonly<Record<string, PrivateParts>> = {
  bullmq: {
    version: '6.7.0',
    modules: ['bullmq/dist/cjs/classes/queue-keys.js', 'bullmq/dist/cjs/commands/includes'],
  },
  // The fields `offlineQueue` and `commandQueue` of a client.
  ioredis: { version: '5.11.1', modules: [] },
  // The fields of a client by the symbols `kSocket` and `kParser`, and the two methods of its parser.
  undici: {
    version: '7.30.2',
    modules: ['undici/lib/core/symbols.js', 'undici/lib/dispatcher/client.js'],
  },
};

/** Modules within packages, as source files and scripts name them. */
const MODULE = /['/]((?:bullmq|ioredis|undici)\/(?:dist|lib|built|build|src)\/[^'`"\s]+)'/g;

describe('The private parts of packages', () => {
  const sources = [...PROGRAM_FOLDERS, 'scripts'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.[jt]s$/.test(path))
      .map((path) => join(folder, path)),
  );

  for (const [name, { version, modules }] of Object.entries(PRIVATE)) {
    // holds: supply-chain.private-parts
    it(`are those of ${name} ${version}, and there`, () => {
      const manifest = JSON.parse(
        readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'),
      ) as { readonly version: string };
      expect(manifest.version).to.equal(version);
      for (const path of modules) {
        expect(existsSync(join(ROOT, 'node_modules', path)), path).to.equal(true);
      }
    });
  }

  // holds: supply-chain.private-parts
  it('are all named here, and all used', () => {
    const used = sources.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(MODULE)].map(([, path]) => path),
    );
    const named = Object.values(PRIVATE).flatMap(({ modules }) => modules);
    expect([...new Set(used)]).to.have.members(named);
  });

  // holds: supply-chain.private-parts
  it('have the fields that are read', () => {
    const redis = new Redis({ lazyConnect: true });
    expect(redis).to.have.property('offlineQueue').that.has.property('peekAt');
    expect(redis).to.have.property('commandQueue').that.has.property('peekAt');
    redis.disconnect();
    expect([typeof symbols.kSocket, typeof symbols.kParser]).to.deep.equal(['symbol', 'symbol']);
    const { QueueKeys } = require('bullmq/dist/cjs/classes/queue-keys.js') as {
      readonly QueueKeys: unknown;
    };
    expect(QueueKeys).to.be.a('function');
  });
});

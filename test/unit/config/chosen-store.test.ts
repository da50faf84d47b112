import { expect } from 'chai';
import { chosenStore, type Surroundings } from '../../../src/infrastructure/config/chosen-store.ts';

const NOTHING: Surroundings = {
  hasFolder: () => false,
  hasRedis: () => Promise.resolve(false),
};
const REDIS: Surroundings = { ...NOTHING, hasRedis: () => Promise.resolve(true) };
const FOLDER: Surroundings = { ...REDIS, hasFolder: (path) => path === './jobgate-data' };

/** Each rule, with what would decide otherwise if the rule came later. */
const CASES: readonly (readonly [Record<string, string>, Surroundings, string, string])[] = [
  [{ STORE: 'memory', STORE_URI: 'redis://host' }, FOLDER, 'memory', 'STORE is set'],
  [{ STORE_URI: 'redis://host', STORE_PATH: 'data' }, FOLDER, 'redis', 'STORE_URI is set'],
  [
    { STORE_URI: 'postgres://host/jobs', STORE_HOST: 'host' },
    FOLDER,
    'postgres',
    'STORE_URI is set',
  ],
  [{ STORE_URI: 'postgresql://host', STORE_PATH: 'data' }, REDIS, 'postgres', 'STORE_URI is set'],
  [{ STORE_SCHEMA: 'jobs', STORE_PATH: 'data' }, REDIS, 'embedded', 'STORE_PATH is set'],
  [{ STORE_HOST: 'host', STORE_PATH: 'data' }, FOLDER, 'redis', 'STORE_HOST is set'],
  [{ STORE_SENTINELS: 'host:1' }, FOLDER, 'redis', 'STORE_SENTINELS is set'],
  [{ STORE_PATH: 'data' }, REDIS, 'embedded', 'STORE_PATH is set'],
  [{}, FOLDER, 'embedded', 'nothing configured, ./jobgate-data exists'],
  [{}, REDIS, 'redis', 'nothing configured, a Redis answers at localhost:6379'],
  [{ NODE_ENV: 'production' }, NOTHING, 'redis', 'nothing configured, NODE_ENV=production'],
  [{ NODE_ENV: 'production' }, FOLDER, 'embedded', 'nothing configured, ./jobgate-data exists'],
  [{}, NOTHING, 'embedded', 'nothing configured, no Redis at localhost:6379'],
  [
    { STORE: '', STORE_URI: '' },
    NOTHING,
    'embedded',
    'nothing configured, no Redis at localhost:6379',
  ],
];

describe('the store that is chosen', () => {
  for (const [environment, surroundings, kind, reason] of CASES) {
    // holds: store.choice
    it(`is ${kind}: ${reason} ${JSON.stringify(environment)}`, async () => {
      expect(await chosenStore(environment, surroundings)).to.deep.equal({ kind, reason });
    });
  }

  it('is Redis for a URI with another scheme, which is then refused', async () => {
    expect(await chosenStore({ STORE_URI: 'mongodb://host' }, NOTHING)).to.include({
      kind: 'redis',
    });
  });

  it('is none when STORE names none', async () => {
    expect(await chosenStore({ STORE: 'mongo' }, REDIS)).to.equal(undefined);
  });
});

import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { RecordStore } from '../../../src/adapters/outbound/embedded/file/record-store.ts';
import {
  StoreFailedError,
  StoreFullError,
} from '../../../src/adapters/outbound/embedded/file/store-errors.ts';
import * as driver from '../../../src/adapters/outbound/embedded/file/wasm-database.ts';
import { FillingDisk, type Trouble } from '../../support/embedded/filling-disk.ts';
import {
  areEqual,
  changed,
  randomChanges,
  valuesIn,
  type Values,
} from '../../support/embedded/random-records.ts';
import { TemporaryFolder } from '../../support/embedded/temporary-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { rounds } from '../../support/lane.ts';

/** `TROUBLES=500 npm run test:file -- …` for more of them, `SEED` for others. */
const TROUBLES = Number(process.env['TROUBLES'] ?? rounds(12, 5));
const SEED = Number(process.env['SEED'] ?? 47);

/** Most writes of the disk before a trouble, and of records before it and after. */
const WRITES = 60;
/** Somewhat more than the reserve of such writes. */
const MOST_LACK = 6_000_000;
const MOST_CHARACTERS = 20_000;
/** How often a full disk is asked for room at most: each time it gives back some pages. */
const MOST_ASKED = 100;

describe('the disk of a store', () => {
  const folder = new TemporaryFolder();
  const random = seededRandom(SEED);
  const path = folder.in('store');
  let disk: FillingDisk;
  let store: RecordStore;
  let answered: Values;

  beforeEach(async () => {
    mkdirSync(path);
    disk = new FillingDisk(path);
    disk.follow();
    store = await RecordStore.open(path, driver);
    answered = new Map();
  });

  afterEach(() => {
    disk.unfollow();
    store.close();
    rmSync(path, { recursive: true });
  });

  after(() => folder.remove());

  function trouble(kind: Trouble): void {
    disk.troubleAfter(1 + Math.floor(random() * WRITES), kind, random() * MOST_LACK);
  }

  /** Writes until a write throws, or some more have not. @returns the records with the last write, and what it threw. */
  function writeOn(): { readonly after: Values; readonly error?: unknown } {
    let after = answered;
    for (let writes = 0; writes < WRITES; writes += 1) {
      const changes = randomChanges(random, MOST_CHARACTERS);
      after = changed(answered, changes);
      try {
        store.write(changes);
        answered = after;
        store.tidy();
      } catch (error) {
        return { after, error };
      }
    }
    return { after };
  }

  /** What the next process finds if this one is killed. */
  async function found(): Promise<Values> {
    rmSync(folder.in('left'), { recursive: true, force: true });
    cpSync(path, folder.in('left'), { recursive: true });
    return valuesIn(folder.in('left'), driver);
  }

  // holds: store.full
  it(`that is full ${TROUBLES} times has what was answered, and all or nothing of what was refused`, async () => {
    let refused = 0;
    let repeated = 0;
    for (let count = 1; count <= TROUBLES; count += 1) {
      trouble('full');
      const { error, after } = writeOn();
      const left = await found();
      disk.empty();
      if (error !== undefined) {
        expect(error, `time ${count}`).to.be.instanceOf(StoreFullError);
        refused += 1;
      }
      // SQLite may find the disk full right behind a write, which a kill then leaves.
      const isRepeated = error !== undefined && areEqual(left, after);
      expect(isRepeated || areEqual(left, answered), `time ${count}`).to.be.true;
      repeated += Number(isRepeated);
      for (let asked = 0; !store.mend(); asked += 1) expect(asked).to.be.below(MOST_ASKED);
    }
    expect(refused).to.be.greaterThan(TROUBLES / 3);
    expect(repeated).to.be.below(Math.max(2, TROUBLES / 50));
  }).timeout(60_000 + TROUBLES * 2000);

  // holds: store.failed-write
  it(`that fails a write ${TROUBLES} times has what was answered, and takes no other`, async () => {
    let failed = 0;
    for (let count = 1; count <= TROUBLES; count += 1) {
      trouble('failing');
      const { error, after } = writeOn();
      const left = await found();
      disk.empty();
      if (error === undefined) {
        // The reserve alone was not written.
        expect(areEqual(left, answered), `time ${count}`).to.be.true;
        continue;
      }
      failed += 1;
      expect(error, `time ${count}`).to.be.instanceOf(StoreFailedError);
      expect(() => store.write(randomChanges(random, 10))).to.throw(StoreFailedError);
      store.close();
      // What was being written may be there for one and not for the other, which ends the log in order.
      const closed = await valuesIn(path, driver);
      for (const values of [left, closed]) {
        expect(areEqual(values, answered) || areEqual(values, after), `time ${count}`).to.be.true;
      }
      answered = closed;
      store = await RecordStore.open(path, driver);
    }
    expect(failed).to.be.greaterThan(TROUBLES / 2);
  }).timeout(60_000 + TROUBLES * 2000);
});

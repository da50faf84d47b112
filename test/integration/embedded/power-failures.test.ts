import { mkdirSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { RecordStore } from '../../../src/adapters/outbound/embedded/file/record-store.ts';
import * as driver from '../../../src/adapters/outbound/embedded/file/wasm-database.ts';
import { LosingDisk } from '../../support/embedded/losing-disk.ts';
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

/** `FAILURES=2000 npm run test:file -- …` for more of them, `SEED` for others. */
const FAILURES = Number(process.env['FAILURES'] ?? rounds(45, 30));
const SEED = Number(process.env['SEED'] ?? 47);

const FILES = ['new.db', 'jobgate.db', 'jobgate.db-wal', 'jobgate.db-journal', 'acknowledged'];

const FAILURES_OF_A_FOLDER = 15;

/** Most changes of the disk between two power failures. */
const CHANGES = 150;
const MOST_CHARACTERS = 5000;
/** So large that the log is soon copied to the database. */
const LARGE = 60_000;

describe('a power failure', () => {
  const folder = new TemporaryFolder();
  const random = seededRandom(SEED);
  let disk: LosingDisk;
  let store: RecordStore | undefined;
  /** The records after the writes that were answered, and with the one that runs. */
  let answered: Values;
  let running: Values;
  let hasFailed: boolean;

  after(() => folder.remove());

  // holds: store.acknowledged
  it(`leaves what was answered, and all or nothing of what was being written: ${FAILURES} times`, async () => {
    for (let failures = 0; failures < FAILURES; failures += FAILURES_OF_A_FOLDER) {
      mkdirSync(folder.in('store'));
      disk = new LosingDisk(folder.in('store'), FILES, random);
      disk.follow();
      try {
        await fail(FAILURES_OF_A_FOLDER);
      } finally {
        disk.unfollow();
        store?.close();
        store = undefined;
        rmSync(folder.in('store'), { recursive: true });
      }
    }
  }).timeout(60_000 + FAILURES * 1000);

  async function fail(times: number): Promise<void> {
    answered = new Map();
    running = answered;
    awaitFailure();
    for (let failures = 0; failures < times;) {
      await work();
      if (!hasFailed) continue;
      await expectLeft();
      failures += 1;
      awaitFailure();
    }
  }

  function awaitFailure(): void {
    hasFailed = false;
    disk.failAfter(1 + Math.floor(random() ** 2 * CHANGES), () => {
      rmSync(folder.in('left'), { recursive: true, force: true });
      mkdirSync(folder.in('left'));
      disk.leave(folder.in('left'));
      hasFailed = true;
    });
  }

  async function work(): Promise<void> {
    store ??= await RecordStore.open(folder.in('store'), driver);
    const chance = random();
    if (chance < 0.05) {
      store.close();
      store = undefined;
    } else if (chance < 0.1) await store.syncAcknowledged();
    else {
      write(store, chance > 0.9 ? LARGE : MOST_CHARACTERS);
      if (!hasFailed) store.tidy();
    }
  }

  function write(to: RecordStore, most: number): void {
    const changes = randomChanges(random, most);
    running = changed(answered, changes);
    to.write(changes);
    if (!hasFailed) answered = running;
  }

  async function expectLeft(): Promise<void> {
    const left = await valuesIn(folder.in('left'), driver);
    expect(areEqual(left, answered) || areEqual(left, running)).to.be.true;
    answered = running;
  }
});

import { expect } from 'chai';
import { DatabaseError } from '../../../src/adapters/outbound/embedded/file/database.ts';
import type {
  Database,
  DatabaseDriver,
  DatabaseFailure,
} from '../../../src/adapters/outbound/embedded/file/database.ts';
import { RecordStore } from '../../../src/adapters/outbound/embedded/file/record-store.ts';
import {
  StoreFailedError,
  StoreFullError,
} from '../../../src/adapters/outbound/embedded/file/store-errors.ts';
import { DRIVERS } from '../../support/embedded/drivers.ts';
import { put, removal } from '../../support/embedded/records.ts';
import { TemporaryFolder } from '../../support/embedded/temporary-folder.ts';

/** A driver whose statements fail at the place that the test sets, counted in calls: once, or from then on. */
class FailingDriver implements DatabaseDriver {
  readonly #driver: DatabaseDriver;
  #failure: DatabaseFailure = 'full';
  #left = Infinity;
  #isLasting = false;

  constructor(driver: DatabaseDriver) {
    this.#driver = driver;
  }

  failAfter(calls: number, failure: DatabaseFailure, isLasting = false): void {
    this.#left = calls;
    this.#failure = failure;
    this.#isLasting = isLasting;
  }

  failNoMore(): void {
    this.#left = Infinity;
  }

  get hasFailed(): boolean {
    return this.#left < 0;
  }

  async openDatabase(path: string): Promise<Database> {
    const database = await this.#driver.openDatabase(path);
    return {
      exec: (sql) => {
        if (sql !== 'ROLLBACK') this.#count();
        database.exec(sql);
      },
      prepare: (sql) => {
        const statement = database.prepare(sql);
        return {
          run: (...values) => {
            this.#count();
            statement.run(...values);
          },
          all: (...values) => {
            if (sql.startsWith('DELETE')) this.#count();
            return statement.all(...values);
          },
        };
      },
      define: (name, call) => database.define(name, call),
      rows: (sql, ...values) => database.rows(sql, ...values),
      close: () => database.close(),
    };
  }

  #count(): void {
    this.#left -= 1;
    if (this.#left === -1 || (this.#left < 0 && this.#isLasting))
      throw new DatabaseError(this.#failure, 'the test says so');
  }
}

for (const { name, driver: url } of DRIVERS) {
  describe(`failing writes, with ${name}`, () => {
    let folder: TemporaryFolder;
    let driver: FailingDriver;
    let store: RecordStore;

    beforeEach(async () => {
      folder = new TemporaryFolder();
      driver = new FailingDriver((await import(url.href)) as DatabaseDriver);
      store = await RecordStore.open(folder.path, driver);
    });

    afterEach(() => {
      store.close();
      folder.remove();
    });

    function ids(): readonly string[] {
      return store
        .reader()
        .next()
        .map(({ id, value }) => `${id}=${value}`);
    }

    it('store all of a write that finds the disk full at any step, in the room that was kept', () => {
      store.write([put('a', 0), put('b', 0)]);
      for (let calls = 0; ; calls += 1) {
        driver.failAfter(calls, 'full');
        store.write([put('a', calls + 1), put('c', calls), removal('b')]);
        if (!driver.hasFailed) break;
        expect(ids(), `after ${calls} calls`).to.deep.equal([`a=${calls + 1}`, `c=${calls}`]);
      }
    });

    it('stores nothing of a write on a full disk, and all of it once there is room', () => {
      store.write([put('a', 0), put('b', 0)]);
      for (let calls = 0; ; calls += 1) {
        const changes = [put('a', calls + 1), put('c', calls), removal('b')];
        driver.failAfter(calls, 'full', true);
        try {
          store.write(changes);
        } catch (error) {
          expect(error).to.be.instanceOf(StoreFullError);
          expect((error as Error).message).to.equal(`STORE_PATH ${folder.path} is full`);
        }
        if (!driver.hasFailed) break;
        driver.failNoMore();
        expect(store.hasRoom).to.equal(false);
        expect(ids(), `after ${calls} calls`).to.deep.equal([
          `a=${calls}`,
          ...(calls > 0 ? [`c=${calls - 1}`] : ['b=0']),
        ]);
        store.write(changes);
        expect(ids()).to.deep.equal([`a=${calls + 1}`, `c=${calls}`]);
        expect(store.mend()).to.equal(true);
      }
    });

    it('are the last ones when they fail for another reason', () => {
      store.write([put('a', 0)]);
      driver.failAfter(1, 'failed');
      expect(() => store.write([put('b', 0)])).to.throw(StoreFailedError, 'the test says so');
      expect(() => store.write([put('c', 0)])).to.throw(StoreFailedError, 'the test says so');
      expect(ids()).to.deep.equal(['a=0']);
    });

    it('are the last ones when the disk has room for a write that failed', () => {
      driver.failAfter(1, 'unwritten');
      expect(() => store.write([put('b', 0)])).to.throw(StoreFailedError);
    });

    it('end when the log cannot be copied to the database, except for lack of room', () => {
      const large = Array.from({ length: 4100 }, (_, index) => put(String(index), index));
      store.write(large);
      driver.failAfter(0, 'full');
      store.tidy();
      expect(driver.hasFailed).to.be.true;
      store.write(large);
      driver.failAfter(0, 'failed');
      store.tidy();
      expect(() => store.write([put('b', 0)])).to.throw(StoreFailedError);
    });
  });
}

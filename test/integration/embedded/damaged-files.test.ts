import { expect } from 'chai';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { LAYOUT_VERSION } from '../../../src/adapters/outbound/embedded/file/database-layout.ts';
import { checkStore } from '../../../src/adapters/outbound/embedded/file/check-store.ts';
import type { DatabaseDriver } from '../../../src/adapters/outbound/embedded/file/database.ts';
import { RecordStore } from '../../../src/adapters/outbound/embedded/file/record-store.ts';
import type { StoredRecord } from '../../../src/adapters/outbound/memory/records/record.ts';
import { recoverStore } from '../../../src/adapters/outbound/embedded/file/recover-store.ts';
import { restoreStore } from '../../../src/adapters/outbound/embedded/file/restore-store.ts';
import {
  StoreDamagedError,
  StoreRefusedError,
} from '../../../src/adapters/outbound/embedded/file/store-errors.ts';
import { DRIVERS } from '../../support/embedded/drivers.ts';
import { put, removal } from '../../support/embedded/records.ts';
import { TemporaryFolder } from '../../support/embedded/temporary-folder.ts';
import { rejection } from '../../support/rejection.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const FILES = ['jobgate.db', 'jobgate.db-wal', 'acknowledged'] as const;
const PLACES = 60;

/** Many pages, of which some are free again, and a log. */
function fill(store: RecordStore): StoredRecord[] {
  const records = Array.from({ length: 400 }, (_, index) =>
    put(String(1000 + index), { text: 'x'.repeat(index) }, index % 2 === 0 ? 'mail' : 'push'),
  );
  store.write(records);
  store.write(records.slice(300).map(({ id, queue }) => removal(id, queue)));
  for (const record of records.slice(0, 50)) store.write([record]);
  return records.slice(0, 300);
}

function copyFiles(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to);
  for (const name of FILES) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}

function damage(path: string, random: () => number): string {
  const bytes = readFileSync(path);
  const place = Math.floor(random() * bytes.length);
  const kind = Math.floor(random() * 3);
  if (kind === 0) truncateSync(path, place);
  if (kind === 1)
    writeFileSync(
      path,
      bytes.fill(0, place, Math.min(bytes.length, place + 1 + Math.floor(random() * 512))),
    );
  if (kind === 2) {
    bytes[place]! ^= 1 << Math.floor(random() * 8);
    writeFileSync(path, bytes);
  }
  return `${['truncated', 'zeroed', 'flipped'][kind]} at ${place}`;
}

/** Pages keep remains of records that they held earlier, so that a text may stand in several places. */
function placesOf(text: string, bytes: Buffer): readonly number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
  return places;
}

async function recordsIn(folder: string, driver: DatabaseDriver): Promise<StoredRecord[]> {
  const store = await RecordStore.open(folder, driver);
  try {
    const reader = store.reader();
    const records: StoredRecord[] = [];
    for (let piece = reader.next(); piece.length > 0; piece = reader.next()) records.push(...piece);
    return records;
  } finally {
    store.close();
  }
}

function sorted(records: readonly StoredRecord[]): readonly string[] {
  return records.map((record) => JSON.stringify(record)).sort();
}

for (const { name, driver: url } of DRIVERS) {
  describe(`damaged files of a store, with ${name}`, () => {
    const folder = new TemporaryFolder();
    let driver: DatabaseDriver;
    let records: StoredRecord[];

    before(async () => {
      driver = (await import(url.href)) as DatabaseDriver;
      mkdirSync(folder.in('store'));
      const store = await RecordStore.open(folder.in('store'), driver);
      records = fill(store);
      copyFiles(folder.in('store'), folder.in('killed'));
      store.close();
    });

    after(() => folder.remove());

    for (const state of ['killed', 'store']) {
      const title = state === 'killed' ? 'with a log' : 'closed';
      it(`are refused, or serve everything: ${title}, ${PLACES} places`, async () => {
        const random = seededRandom(47);
        const names = FILES.filter((file) => existsSync(join(folder.in(state), file)));
        let refused = 0;
        for (let count = 0; count < PLACES; count += 1) {
          copyFiles(folder.in(state), folder.in('damaged'));
          const file = names[count % names.length]!;
          const place = `${file} ${damage(join(folder.in('damaged'), file), random)}`;
          try {
            const found = await recordsIn(folder.in('damaged'), driver);
            expect(sorted(found), place).to.deep.equal(sorted(records));
          } catch (error) {
            expect(error, place).to.be.instanceOf(StoreRefusedError);
            refused += 1;
          }
        }
        expect(refused).to.be.greaterThan(PLACES / 3);
      }).timeout(120_000);
    }

    it('are refused when a file is missing', async () => {
      for (const file of FILES) {
        copyFiles(folder.in('killed'), folder.in('damaged'));
        rmSync(join(folder.in('damaged'), file));
        const error = await rejection(recordsIn(folder.in('damaged'), driver));
        expect(error, file).to.be.instanceOf(StoreDamagedError);
      }
    });

    it('are named in the refusal, with the command that recovers what can be read', async () => {
      copyFiles(folder.in('store'), folder.in('damaged'));
      const path = folder.in('damaged/jobgate.db');
      const bytes = readFileSync(path);
      for (const place of placesOf('push1299{', bytes)) bytes.write('y', place + 20);
      writeFileSync(path, bytes);
      const error = await rejection(recordsIn(folder.in('damaged'), driver));
      expect(error.message).to.match(
        /is damaged: jobgate.db, record "job" "\w+" "\d+" is altered\. "jobgate store recover \S+ FILE" writes/,
      );
      const { damage: found, records: readable } = await checkStore(folder.in('damaged'), driver);
      expect(readable).to.equal(records.length - 1);
      expect(found[0]).to.match(/^jobgate.db, record "job" "\w+" "\d+" is altered$/);
      const recovery = await recoverStore(folder.in('damaged'), folder.in('recovered.db'), driver);
      expect(recovery.records).to.equal(records.length - 1);
      expect(await restoreStore(folder.in('recovered.db'), folder.in('new'), driver)).to.equal(299);
      const whole = sorted(records);
      const restored = sorted(await recordsIn(folder.in('new'), driver));
      expect(whole).to.include.members([...restored]);
      expect(restored).to.have.length(299);
    });

    it('are named so, with that command, when the schema is damaged', async () => {
      copyFiles(folder.in('store'), folder.in('damaged'));
      const path = folder.in('damaged/jobgate.db');
      writeFileSync(path, readFileSync(path).fill(0, 4096, 8192));
      const error = await rejection(recordsIn(folder.in('damaged'), driver));
      expect(error.message).to.match(
        /is damaged: jobgate.db, .+\. "jobgate store recover \S+ FILE" writes/,
      );
    });

    it('are recovered on both sides of a damaged page', async () => {
      copyFiles(folder.in('store'), folder.in('damaged'));
      const path = folder.in('damaged/jobgate.db');
      const bytes = readFileSync(path);
      for (const place of placesOf('mail1150{', bytes)) {
        const page = place - (place % 4096);
        bytes.fill(0xff, page, page + 4096);
      }
      writeFileSync(path, bytes);
      rmSync(folder.in('recovered.db'), { force: true });
      const recovery = await recoverStore(folder.in('damaged'), folder.in('recovered.db'), driver);
      // One page, in at most two indexes.
      expect(recovery.damage).to.have.length.within(1, 2);
      expect(recovery.damage.join('\n')).to.match(/^after record "job" "\w+" "\d+": [^\n]+$/m);
      expect(recovery.records).to.be.within(250, 299);
      const error = await rejection(recordsIn(folder.in('damaged'), driver));
      expect(error.message).to.match(/is damaged: .+ writes what can be read to FILE$/);
    });

    it('of a newer version are refused by its number', async () => {
      copyFiles(folder.in('store'), folder.in('newer'));
      const database = await driver.openDatabase(folder.in('newer/jobgate.db'));
      database.exec('PRAGMA locking_mode=EXCLUSIVE');
      database.exec('PRAGMA user_version=7');
      database.close();
      const error = await rejection(recordsIn(folder.in('newer'), driver));
      expect(error.message).to.match(/is of a newer version: its layout is 7, this version reads/);
    });

    it('of the version before are of this one from the first write on', async () => {
      const path = folder.in('before/jobgate.db');
      const layout = async (change?: number): Promise<unknown> => {
        const database = await driver.openDatabase(path);
        database.exec('PRAGMA locking_mode=EXCLUSIVE');
        if (change !== undefined) database.exec(`PRAGMA user_version=${change}`);
        const rows = database.prepare('PRAGMA user_version').all();
        database.close();
        return rows[0]?.['user_version'];
      };
      copyFiles(folder.in('store'), folder.in('before'));
      await layout(1);
      expect(await recordsIn(folder.in('before'), driver)).to.have.lengthOf(300);
      expect(await layout(), 'after it was read').to.equal(1);
      const store = await RecordStore.open(folder.in('before'), driver);
      store.write([put('2000', {})]);
      store.close();
      expect(await layout(), 'after it was written').to.equal(LAYOUT_VERSION);
    });

    it('that are whole pass the check, with their counts by kind', async () => {
      const check = await checkStore(folder.in('store'), driver);
      expect(check.damage).to.deep.equal([]);
      expect([...check.kinds]).to.deep.equal([['job', 300]]);
    });

    it('are not overwritten by a restored backup', async () => {
      const error = await rejection(
        restoreStore(folder.in('store/jobgate.db'), folder.in('store'), driver),
      );
      expect(error.message).to.equal(`${folder.in('store')} holds a store`);
    });
  });
}

import { expect } from 'chai';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { RecordFile } from '../../../src/adapters/outbound/embedded/file/record-file.ts';
import type { RecordChange } from '../../../src/adapters/outbound/memory/records/record.ts';
import { DRIVERS } from '../../support/embedded/drivers.ts';
import '../../support/embedded/kept-sqlite.ts';
import { allRecords, put, removal } from '../../support/embedded/records.ts';
import { TemporaryFolder } from '../../support/embedded/temporary-folder.ts';
import { rejection } from '../../support/rejection.ts';

for (const { name, ofThread: driver } of DRIVERS) {
  describe(`RecordFile with ${name}`, () => {
    let folder: TemporaryFolder;
    let file: RecordFile;

    beforeEach(async () => {
      folder = new TemporaryFolder();
      file = await RecordFile.open(folder.in('data'), { driver });
    });

    afterEach(async () => {
      await file.close().catch(() => undefined);
      folder.remove();
    });

    async function reopen(): Promise<number> {
      await file.close();
      file = await RecordFile.open(folder.in('data'), { driver });
      return file.count;
    }

    it('creates a folder that only its user can read', () => {
      expect(statSync(folder.in('data')).mode & 0o777).to.equal(0o700);
    });

    describe('of more than 64 MB', () => {
      const LARGE = 'x'.repeat(1_000_000);
      const payload = (id: string): RecordChange => ({
        kind: 'payload',
        queue: 'mail',
        id,
        value: JSON.stringify(LARGE),
      });

      beforeEach(async () => {
        for (let id = 0; id < 70; id += 1)
          await file.write([payload(String(id)), put(String(id), 'short')]);
        await reopen();
      });

      it('is read without its values, and checked while others write', async () => {
        expect(file.isSmall).to.equal(false);
        const kinds = new Set((await allRecords(file)).map(({ kind }) => kind));
        expect(kinds).not.to.include('payload');
        const checking = file.check(new AbortController().signal);
        for (let id = 0; id < 70; id += 5) {
          await file.write([payload(`${id}-new`), { ...payload(String(id)), value: undefined }]);
        }
        await checking;
      });

      it('is found damaged by the check', async () => {
        await file.close();
        const path = join(folder.in('data'), 'jobgate.db');
        const bytes = readFileSync(path);
        bytes.fill('y', bytes.lastIndexOf('xxxx') - 20, bytes.lastIndexOf('xxxx') - 10);
        writeFileSync(path, bytes);
        file = await RecordFile.open(folder.in('data'), { driver });
        await allRecords(file);
        const { message } = await rejection(file.check(new AbortController().signal));
        expect(message).to.match(
          /^STORE_PATH .* is damaged: jobgate.db, record "payload" "mail" ".*" is altered/,
        );
      });
    });

    // holds: erase.places
    it('has no byte of what was removed once it is reopened after a scrubbing', async () => {
      const secret = 'ada-3c9e41';
      const texts = (text: string) =>
        Array.from({ length: 400 }, (_, number) =>
          put(`${number}-${text}`, text.repeat(1 + (number % 50))),
        );
      await file.write([...texts(secret), ...texts('someone')]);
      await file.write(texts(secret).map(({ id }) => removal(id)));
      await file.scrub();
      await reopen();
      const found = readdirSync(folder.in('data')).filter(
        (each) =>
          statSync(join(folder.in('data'), each)).isFile() &&
          readFileSync(join(folder.in('data'), each)).includes(secret),
      );
      expect(found).to.deep.equal([]);
      expect(file.count).to.equal(400);
      expect(await allRecords(file)).to.have.length(400);
    });

    // holds: erase.places
    it('has nothing of what was removed in its log after a scrubbing, while others write', async () => {
      const secret = 'ada-3c9e41';
      const log = join(folder.in('data'), 'jobgate.db-wal');
      const texts = Array.from({ length: 50 }, (_, number) => put(String(number), secret));
      await file.write(texts);
      const backup = file.backup(folder.in('copy'));
      await file.write(texts.map(({ id }) => removal(id)));
      expect(readFileSync(log).includes(secret)).to.equal(true);
      await backup;
      for (let write = 0; write < 20; write += 1) {
        if (write === 10) await file.scrub();
        await file.write([put(`busy-${write}`, write)]);
      }
      expect(readFileSync(log).includes(secret)).to.equal(false);
    });

    it('has what was written last after it is reopened, in the order of the keys', async () => {
      const umlaut = put('ä', { text: 'ö\u0000😀' });
      await file.write([put('2', 'b'), put('1', 'a'), umlaut, put('1', 'a', 'other'), put('3', 3)]);
      await file.write([put('2', 'changed'), removal('3'), removal('never there')]);
      await reopen();
      expect(file.count).to.equal(4);
      expect(await allRecords(file)).to.deep.equal([
        put('1', 'a'),
        put('2', 'changed'),
        umlaut,
        put('1', 'a', 'other'),
      ]);
    });

    // holds: store.fair-steps
    it('writes before it reads for all who asked earlier', async () => {
      const large = put('large', 'x'.repeat(2_000_000));
      await file.write([large]);
      const order: string[] = [];
      const reads = Array.from({ length: 30 }, () =>
        file.find([[large]], 1).then(([values]) => {
          expect(values).to.deep.equal([large.value]);
          order.push('read');
        }),
      );
      const write = file.write([put('small', 1)]).then(() => order.push('write'));
      await Promise.all([...reads, write]);
      expect(order).to.have.lengthOf(31);
      expect(order.indexOf('write')).to.be.below(15);
    });

    it('serves its records in pieces of bounded size', async () => {
      const small = Array.from({ length: 2500 }, (_, index) => put(`a${index}`, index));
      const large = Array.from({ length: 5 }, (_, index) => put(`b${index}`, 'x'.repeat(600_000)));
      await file.write([...small, ...large]);
      await reopen();
      const pieces: number[] = [];
      for await (const piece of file.records()) pieces.push(piece.length);
      expect(pieces.reduce((sum, each) => sum + each)).to.equal(2505);
      expect(Math.max(...pieces)).to.equal(1000);
      expect(pieces.slice(-2)).to.deep.equal([2, 1]);
    });

    it('keeps a long text as the text that it is', async () => {
      const records = ['"é\u{1f600}\\'.repeat(5000), 'short'].map((text, id) => put(`${id}`, text));
      await file.write(records);
      await reopen();
      expect(await allRecords(file)).to.deep.equal(records);
    });

    it('finds records by their keys, as they were written last', async () => {
      const keys = ['1', 'missing'].map((id) => ({ kind: 'job', queue: 'mail', id }));
      await file.write([put('1', 'a'), put('2', 'b')]);
      expect(await file.find([keys], 100)).to.deep.equal([['"a"', undefined]]);
      await file.write([put('1', 'changed')]);
      expect(await file.find([keys], 100)).to.deep.equal([['"changed"', undefined]]);
    });

    it('finds the first groups of records that are asked for, as far as they fit', async () => {
      await file.write(['1', '2', '3'].map((id) => put(id, 'x'.repeat(100))));
      const groups = ['1', '2', '3'].map((id) => [{ kind: 'job', queue: 'mail', id }]);
      expect(await file.find(groups, 1)).to.have.length(1);
      expect(await file.find(groups, 150)).to.have.length(2);
      expect(await file.find(groups, 1000)).to.have.length(3);
    });

    it('takes less than twice the size of many records of 1 kB', async () => {
      const records = Array.from({ length: 1000 }, (_, index) => put(`${index}`, 'x'.repeat(1000)));
      await file.write(records);
      await file.close();
      expect(statSync(folder.in('data/jobgate.db')).size).to.be.below(2_000_000);
    });

    it('lets the process do other things between two pieces', async () => {
      await file.write(Array.from({ length: 2500 }, (_, index) => put(`a${index}`, index)));
      await reopen();
      let turns = 0;
      let next = setImmediate(function turn() {
        turns += 1;
        next = setImmediate(turn);
      });
      const sizes = new Map<number, number>();
      for await (const { length } of file.records()) sizes.set(turns, length);
      clearImmediate(next);
      expect([...sizes.values()]).to.deep.equal([1000, 1000, 500]);
    });

    it('refuses a folder that is in use, with one line', async () => {
      const error = await rejection(RecordFile.open(folder.in('data'), { driver }));
      expect(error.message).to.equal(`STORE_PATH ${folder.in('data')} is in use`);
    });

    it('refuses a folder that it cannot write', async () => {
      const path = folder.in('data/jobgate.db/below a file');
      const error = await rejection(RecordFile.open(path, { driver }));
      expect(error.message).to.match(/^STORE_PATH .* is not writable: ENOTDIR/);
    });

    it('writes a copy that opens as a store, while it goes on writing', async () => {
      const before = Array.from({ length: 2500 }, (_, index) => put(`k${index}`, index));
      await file.write(before);
      const backup = file.backup(folder.in('backup.db'));
      for (let index = 0; index < 20; index += 1) {
        await file.write([
          put(`k${index * 100}`, 'changed'),
          removal(`k${index}`),
          put(`new${index}`, 1),
        ]);
      }
      await backup;
      expect(statSync(folder.in('backup.db')).mode & 0o777).to.equal(0o600);
      expect(existsSync(folder.in('backup.db-wal'))).to.be.false;
      const written = await reopen();
      mkdirSync(folder.in('copy'));
      renameSync(folder.in('backup.db'), folder.in('copy/jobgate.db'));
      const copy = await RecordFile.open(folder.in('copy'), { driver });
      expect(await allRecords(copy)).to.have.length(written);
      await copy.close();
    });

    it('overwrites no file with a backup', async () => {
      await file.backup(folder.in('backup.db'));
      const error = await rejection(file.backup(folder.in('backup.db')));
      expect(error.message).to.match(/EEXIST/);
    });
  });
}

describe('RecordFile', () => {
  it('reads with each driver what another wrote', async () => {
    const folder = new TemporaryFolder();
    try {
      const records = DRIVERS.map(({ name }) => put(name, { by: name }));
      for (const [index, { ofThread: driver }] of DRIVERS.entries()) {
        const file = await RecordFile.open(folder.path, { driver });
        await file.write([records[index]!]);
        await file.close();
      }
      for (const { ofThread: driver } of DRIVERS) {
        const file = await RecordFile.open(folder.path, { driver });
        expect(await allRecords(file)).to.deep.equal(records);
        await file.close();
      }
    } finally {
      folder.remove();
    }
  });
});

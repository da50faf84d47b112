import { expect } from 'chai';
import { cpSync, mkdirSync, statSync } from 'node:fs';
import type { DatabaseDriver } from '../../../src/adapters/outbound/embedded/file/database.ts';
import { RecordStore } from '../../../src/adapters/outbound/embedded/file/record-store.ts';
import type { StoredRecord } from '../../../src/adapters/outbound/memory/records/record.ts';
import { DRIVERS } from '../../support/embedded/drivers.ts';
import { put } from '../../support/embedded/records.ts';
import { TemporaryFolder } from '../../support/embedded/temporary-folder.ts';

const WRITES = 10;
const RECORDS = 250;
const RECORD = 8000;

function recordsOf(write: number): readonly StoredRecord[] {
  return Array.from({ length: RECORDS }, (_, id) => put(`${write}-${id}`, 'x'.repeat(RECORD)));
}

for (const { name, driver: url } of DRIVERS) {
  it(`the log that killed processes left is copied to the database, with ${name}`, async () => {
    const driver = (await import(url.href)) as DatabaseDriver;
    const folder = new TemporaryFolder();
    try {
      mkdirSync(folder.in('store'));
      const killed = await RecordStore.open(folder.in('store'), driver);
      for (let write = 0; write < WRITES; write += 1) killed.write(recordsOf(write));
      cpSync(folder.in('store'), folder.in('left'), { recursive: true });
      killed.close();
      const next = await RecordStore.open(folder.in('left'), driver);
      next.tidy();
      const { size } = statSync(folder.in('left/jobgate.db'));
      next.close();
      expect(size).to.be.greaterThan(WRITES * RECORDS * RECORD);
    } finally {
      folder.remove();
    }
  });
}

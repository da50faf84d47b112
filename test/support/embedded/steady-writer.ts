// A process that writes until it is killed. Prints the number of each transaction once it is acknowledged, after those
// of the first line: what it found at its start.
import { writeSync } from 'node:fs';
import { RecordFile } from '../../../src/adapters/outbound/embedded/file/record-file.ts';
import { allRecords, put } from './records.ts';

const RECORDS = 100;
const [folder = '', driver = ''] = process.argv.slice(2);

const file = await RecordFile.open(folder, { driver: new URL(driver) });
const numbers = new Map(
  (await allRecords(file)).map(({ id, value }) => [
    id,
    Number((JSON.parse(value) as string).trim()),
  ]),
);
let last = numbers.get('last') ?? 0;
if (last !== (numbers.get('same') ?? 0)) throw new Error('Half of a transaction is stored');
for (let number = Math.max(1, last - RECORDS + 1); number <= last; number += 1) {
  const found = numbers.get(String(number % RECORDS));
  if (found !== number) throw new Error(`Transaction ${number} is gone, there is ${String(found)}`);
}
writeSync(1, `${last}\n`);
for (;;) {
  last += 1;
  const value = String(last).padEnd(20_000);
  await file.write(['last', String(last % RECORDS), 'same'].map((id) => put(id, value)));
  writeSync(1, `${last}\n`);
}

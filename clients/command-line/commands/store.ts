import { open, rm, type FileHandle } from 'node:fs/promises';
import type { Declaration } from '../command.ts';
import { Failed } from '../failed.ts';
import type { Invocation } from '../invocation.ts';
import type { SchemaMigration } from '../stores.ts';
import { counted } from '../../rules/counted.ts';
import { fields } from '../output/fields.ts';
import { table, type Column } from '../output/table.ts';

const NO_MIGRATION = 'No migration is due';

type KindCount = readonly [kind: string, records: number];

const kindColumns: readonly Column<KindCount>[] = [
  { head: 'KIND', cell: ([kind]) => kind },
  { head: 'RECORDS', cell: ([, records]) => records },
];

/** The checksum as other programs print it. */
function hexadecimal(sum: number): string {
  return sum.toString(16).padStart(8, '0');
}

/** @throws Failed with the message of any error, which is for the operator. */
async function orFailed<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw new Failed((error as Error).message);
  }
}

/** @throws Failed when the file exists or cannot be written. */
async function newFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failed(code === 'EEXIST' ? `${path} exists` : message);
  }
}

/** Puts all pieces on the disk. */
async function written(pieces: AsyncIterable<Uint8Array>, file: FileHandle): Promise<void> {
  for await (const piece of pieces) await file.writeFile(piece);
  await file.sync();
}

async function backUp(call: Invocation): Promise<void> {
  const path = call.name(0);
  const file = await newFile(path);
  try {
    const answer = await call.jobgate.stream('POST', '/store/backup');
    await orFailed(written(answer, file));
    const { size: bytes } = await file.stat();
    call.answer({ file: path, bytes }, () => `Wrote ${bytes} bytes to ${path}`);
  } catch (error) {
    await rm(path);
    throw error;
  } finally {
    await file.close();
  }
}

async function check(call: Invocation): Promise<void> {
  const path = call.name(0);
  const { kinds, records, sum, damage } = await orFailed(call.without.stores.check(path));
  const counts = [...kinds].sort(([one], [other]) => (one < other ? -1 : 1));
  const answer = {
    records,
    sum: hexadecimal(sum),
    kinds: Object.fromEntries(counts),
    damage,
  };
  call.answer(answer, () =>
    [
      table(kindColumns, counts),
      fields([
        ['records', records],
        ['sum', answer.sum],
        ['damage', damage.length === 0 ? 'none' : damage.join('\n')],
      ]),
    ].join('\n\n'),
  );
  if (damage.length > 0) {
    throw new Failed(
      `${path} is damaged: jobgate store recover ${path} FILE saves what it can read`,
    );
  }
}

function numbered({ number, name }: SchemaMigration): string {
  return `${String(number).padStart(4, '0')} ${name}`;
}

async function migrate(call: Invocation): Promise<void> {
  const applied = await orFailed(call.without.stores.migrate(call.variables));
  call.answer({ applied }, () =>
    applied.length === 0
      ? NO_MIGRATION
      : applied.map((each) => `Applied ${numbered(each)}`).join('\n'),
  );
}

/** Prints what `psql` can run. */
async function listMigrations(call: Invocation): Promise<void> {
  const due = await orFailed(call.without.stores.dueMigrations(call.variables));
  call.answer({ due }, () =>
    due.length === 0
      ? NO_MIGRATION
      : due.map((each) => `-- ${numbered(each)}\nBEGIN;\n\n${each.sql}\n\nCOMMIT;`).join('\n\n'),
  );
}

export const storeCommands: readonly Declaration[] = [
  {
    usage: 'store backup <file>',
    summary: 'copy the embedded store to a file, while the service runs',
    details: 'The service makes the copy. The token needs the right admin.',
    examples: ['store backup jobgate-backup.db'],
    run: backUp,
  },
  {
    usage: 'store check <folder>',
    summary: 'read all files of a stopped embedded store, and report any damage',
    details: 'The exit code is 1 when something is damaged or a service uses the folder.',
    examples: ['store check ./jobgate-data'],
    run: check,
  },
  {
    usage: 'store restore <file> <folder>',
    summary: 'make a folder for the embedded store from a backup',
    details: 'A folder that holds a store is refused.',
    examples: ['store restore jobgate-backup.db ./jobgate-data'],
    run: async (call) => {
      const [file, folder] = [call.name(0), call.name(1)];
      const records = await orFailed(call.without.stores.restore(file, folder));
      call.answer({ folder, records }, () => `Restored ${counted(records, 'record')} to ${folder}`);
    },
  },
  {
    usage: 'store recover <folder> <file>',
    summary: 'save what can be read of a damaged embedded store to a file',
    details: 'The folder stays as it is. jobgate store restore makes a new folder from the file.',
    examples: ['store recover ./jobgate-data rescued.db'],
    run: async (call) => {
      const [folder, file] = [call.name(0), call.name(1)];
      const { records, damage } = await orFailed(call.without.stores.recover(folder, file));
      call.answer({ file, records, damage }, () =>
        [
          `Wrote ${counted(records, 'record')} to ${file}`,
          ...damage.map((place) => `not read: ${place}`),
        ].join('\n'),
      );
    },
  },
  {
    usage: 'store migrate',
    summary: 'bring the schema in PostgreSQL to the version of this jobgate',
    details:
      'It reads STORE_URI and STORE_SCHEMA. The service does the same when it starts; this is for a role with more rights than the service has.',
    examples: ['store migrate --dry-run'],
    options: {
      'dry-run': 'only print the migrations that are due, with their statements',
    },
    run: (call) => (call.has('dry-run') ? listMigrations(call) : migrate(call)),
  },
];

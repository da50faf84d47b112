import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedStore } from '../../../src/adapters/outbound/embedded/embedded-store.ts';
import { ChangedRecords } from '../../../src/adapters/outbound/memory/records/changed-records.ts';
import { RecentPayloads } from '../../../src/adapters/outbound/memory/state/recent-payloads.ts';
import { KeptValues } from '../../../src/adapters/outbound/memory/records/kept-values.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import type { MemoryStore } from '../../../src/adapters/outbound/memory/state/memory-store.ts';
import { vacuumDuePath } from '../../../src/adapters/outbound/embedded/file/store-files.ts';
import { eventually } from '../eventually.ts';
import { silentLogger } from '../silent-logger.ts';
import './kept-sqlite.ts';

/** Room for the payloads of a few thousand small jobs: large ones are on the disk. */
const FEW_BYTES = 1_000_000;

/** What keeps the memory of a test in a folder of its own. */
export class StoreOnDisk {
  readonly #changed = new ChangedRecords();
  readonly #keptValues = new KeptValues();
  readonly records = new StoreRecords(
    this.#changed,
    this.#keptValues,
    new RecentPayloads(FEW_BYTES, (key) => this.#changed.areValuesStored(key)),
  );
  #folder = '';
  #store: EmbeddedStore | undefined;

  /** @param queues with the records of this disk. */
  async open(queues: MemoryStore): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'jobgate-'));
    const parts = {
      queues,
      records: this.records,
      changed: this.#changed,
      keptValues: this.#keptValues,
    };
    this.#store = new EmbeddedStore(this.#folder, parts, silentLogger, (error) => {
      throw error;
    });
    await this.#store.take();
    await this.#store.start(new AbortController().signal);
  }

  /** Resolves once all that changed is on the disk: jobs that ended have left the memory by then. */
  async written(): Promise<void> {
    await this.#store?.written();
  }

  /** The bytes of all files of the folder. */
  async dump(): Promise<Buffer> {
    await this.#store?.scrub();
    await eventually('the vacuum', () => Promise.resolve(!existsSync(vacuumDuePath(this.#folder))));
    const entries = await readdir(this.#folder, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return Buffer.concat(
      await Promise.all(files.map(({ name }) => readFile(join(this.#folder, name)))),
    );
  }

  async close(): Promise<void> {
    await this.#store?.stop();
    await this.#store?.release();
    await rm(this.#folder, { recursive: true });
  }
}

/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { KeyCheckStorePort } from '../../../../application/ports/key-check-store-port.ts';

import type { RecordedMap } from '../records/recorded-map.ts';
import { StoreRecords } from '../records/store-records.ts';

/** The check values of encryption keys in the memory of this process. */
export class MemoryKeyChecks implements KeyCheckStorePort {
  readonly #values: RecordedMap<{ readonly value: string }>;

  constructor(records = new StoreRecords()) {
    this.#values = records.map('key-check');
  }

  async find(key: string): Promise<string | undefined> {
    return this.#values.get(key)?.value;
  }

  async saveFirst(key: string, value: string): Promise<string> {
    const kept = this.#values.get(key)?.value;
    if (kept === undefined) this.#values.set(key, { value });
    return kept ?? value;
  }
}

/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { KeyCheckStorePort } from '../../../../application/ports/key-check-store-port.ts';

import type { KeyedRecords } from '../records/keyed-records.ts';
import { StoreRecords } from '../records/store-records.ts';

/** The check values of encryption keys in the memory of this process. */
export class MemoryKeyChecks implements KeyCheckStorePort {
  readonly #values: KeyedRecords<{ readonly value: string }>;

  constructor(records = new StoreRecords()) {
    this.#values = records.map('key-check');
  }

  async find(key: string): Promise<string | undefined> {
    return this.#values.find(key)?.value;
  }

  async saveFirst(key: string, value: string): Promise<string> {
    const kept = this.#values.find(key)?.value;
    if (kept === undefined) this.#values.put(key, { value });
    return kept ?? value;
  }
}

/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { KeyCheckStorePort } from '../../../../application/ports/key-check-store-port.ts';

/** The check values of encryption keys in the memory of this process. */
export class MemoryKeyChecks implements KeyCheckStorePort {
  readonly #values = new Map<string, string>();

  async find(key: string): Promise<string | undefined> {
    return this.#values.get(key);
  }

  async saveFirst(key: string, value: string): Promise<string> {
    const kept = this.#values.get(key) ?? value;
    this.#values.set(key, kept);
    return kept;
  }
}

/**
 * Reads large values one after the other: many at once would fill the memory of the store and of this process. When a
 * read fails, the reads that wait behind it fail with it, rather than one after the other.
 */
export class SerialReads {
  #last: Promise<void> = Promise.resolve();

  run<Value>(read: () => Promise<Value>): Promise<Value> {
    const reading = this.#last.then(read);
    const done = reading.then(
      () => undefined,
      (error: unknown) => {
        if (this.#last === done) this.#last = Promise.resolve();
        throw error;
      },
    );
    done.catch(() => undefined);
    this.#last = done;
    return reading;
  }
}

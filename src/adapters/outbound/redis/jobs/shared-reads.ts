import { GatheredCalls } from '../connection/gathered-calls.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';

interface Read<Answer> {
  readonly jobId: string;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Most jobs that one run reads. With more the store would rest while we read requests, and we while it works. */
const MOST_READS = 8;

/** Lets the reads of single jobs of a queue in the same turn of the event loop share one run of a script. */
export class SharedReads<Answer> {
  readonly #run: (keys: QueueKeys, ids: readonly string[]) => Promise<readonly Answer[]>;
  readonly #reads = new GatheredCalls<QueueKeys, Read<Answer>>((keys, reads) => {
    void this.#read(keys, reads);
  }, MOST_READS);

  /** @param run answers for each of the ids, in their order. */
  constructor(run: (keys: QueueKeys, ids: readonly string[]) => Promise<readonly Answer[]>) {
    this.#run = run;
  }

  read(keys: QueueKeys, jobId: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#reads.add(keys, { jobId, resolve, reject });
    });
  }

  async #read(keys: QueueKeys, reads: readonly Read<Answer>[]): Promise<void> {
    try {
      const answers = await this.#run(
        keys,
        reads.map(({ jobId }) => jobId),
      );
      reads.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer);
      });
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  }
}

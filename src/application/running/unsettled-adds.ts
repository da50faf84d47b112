import type { AddIdentity } from '../../domain/jobs/add-identity.ts';
import { keyRefused } from '../../domain/jobs/add-identity.ts';
import { isStoreUnavailable, mayBeStored } from '../../domain/errors.ts';

/** The most keys of lost adds that are kept; the oldest are forgotten first. */
const MOST_DOUBTFUL = 10_000;

/**
 * The adds with an Idempotency-Key that may still be stored: those in progress, and those whose commit was lost. A refusal
 * of a repetition says that nothing is stored, which would be untrue of these.
 */
export class UnsettledAdds {
  readonly #running = new Map<string, number>();
  readonly #doubtful = new Set<string>();

  /**
   * Runs an add, or the repetition of one.
   *
   * @throws DomainError `idempotency-key-in-use` when the store takes nothing, and another add with the key may still be
   * stored.
   */
  async run<Answer>({ key }: AddIdentity, add: () => Promise<Answer>): Promise<Answer> {
    this.#running.set(key, this.#others(key) + 1);
    try {
      const answer = await add();
      this.#doubtful.delete(key);
      return answer;
    } catch (error) {
      if (mayBeStored(error)) this.#note(key);
      else if (isStoreUnavailable(error) && this.#isUnsettled(key)) throw keyRefused('running');
      throw error;
    } finally {
      const others = this.#others(key) - 1;
      if (others > 0) this.#running.set(key, others);
      else this.#running.delete(key);
    }
  }

  #others(key: string): number {
    return this.#running.get(key) ?? 0;
  }

  #isUnsettled(key: string): boolean {
    return this.#others(key) > 1 || this.#doubtful.has(key);
  }

  #note(key: string): void {
    this.#doubtful.add(key);
    if (this.#doubtful.size <= MOST_DOUBTFUL) return;
    for (const oldest of this.#doubtful) {
      this.#doubtful.delete(oldest);
      return;
    }
  }
}

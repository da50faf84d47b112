import { JsonText } from '../../../../../domain/values/json.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { JsonReader } from '../../messages/json-reader.ts';

/** How long the batch is read before other requests get a turn, in milliseconds. */
const TURN = 20;

/** A job, its options and its backoff have far fewer members: objects with more are mistakes. */
const MOST_MEMBERS = 100;

/** Objects of up to this many bytes are parsed as a whole, which is quickest. */
const SHORT = 256;

/** Jobs, their options, and the backoff within the options. */
const DEEPEST_OBJECT = 3;

/**
 * Reads a long batch of jobs, or one with very many values. The data of each job stays text, and values that do not
 * belong in a job are not created: null stands in for them. Reading ends early once there are more mistakes than are
 * reported.
 */
export class LargeBatch {
  readonly #reader: JsonReader;
  #hopeless = false;

  /** @param bytes UTF-8 text, its nesting bounded. */
  constructor(bytes: Buffer) {
    this.#reader = new JsonReader(bytes);
  }

  /** How many bytes were read. */
  get position(): number {
    return this.#reader.position;
  }

  /**
   * The batch as a value, or null when it is no array.
   *
   * @throws DomainError `invalid-request` when it is not valid JSON.
   */
  async read(turns: EventLoopTurns): Promise<readonly unknown[] | null> {
    const reader = this.#reader;
    if (!reader.isAtArray) return null;
    const jobs: unknown[] = [];
    let turnEnds = performance.now() + TURN;
    for (const index of reader.elements()) {
      jobs[index] = this.#part(DEEPEST_OBJECT);
      if (this.#hopeless) return jobs;
      if (performance.now() < turnEnds) continue;
      await turns.next();
      turnEnds = performance.now() + TURN;
    }
    reader.end();
    return jobs;
  }

  #part(depth: number): unknown {
    const reader = this.#reader;
    if (reader.isAtObject && depth > 0) return reader.shortValue(SHORT) ?? this.#object(depth);
    if (!reader.isAtObject && !reader.isAtArray) return reader.value();
    reader.skip();
    return null;
  }

  #object(depth: number): object {
    // Without a prototype, no member name has a special meaning.
    const object = Object.create(null) as Record<string, unknown>;
    let size = 0;
    for (const name of this.#reader.members()) {
      if (!(name in object)) size += 1;
      const isData = depth === DEEPEST_OBJECT && name === 'data';
      object[name] = isData ? new JsonText(this.#reader.text()) : this.#part(depth - 1);
      this.#hopeless ||= size > MOST_MEMBERS;
      if (this.#hopeless) break;
    }
    return object;
  }
}

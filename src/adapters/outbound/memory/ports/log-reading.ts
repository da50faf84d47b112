import type { JobLogs } from '../../../../application/ports/queue-port.ts';
import { inPieces, LARGEST_PIECE } from './pieces.ts';
import type { LogPiece, PartOfLog } from '../state/job-log.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { JobReading } from './job-reading.ts';

/** Pieces of a log that one read has at most. */
const MOST_AT_ONCE = 250;

/** Reads the logs of the jobs of one queue, in memory or on a disk. */
export class LogReading {
  readonly #queue: StoredQueue;

  constructor(queue: StoredQueue) {
    this.#queue = queue;
  }

  /** The lines from the oldest, skipping `start`; undefined when the job does not exist. */
  async read(jobId: string, start: number, length: number): Promise<JobLogs | undefined> {
    const job = this.#queue.jobs.find(jobId);
    if (job === undefined) return undefined;
    if (job.hasOlderLog) {
      const lines = await new JobReading(this.#queue).olderLog(job);
      const wanted = lines.slice(start, start + length);
      return { count: lines.length, logs: inPieces(wanted, lengthOf, (piece) => piece) };
    }
    const count = job.log?.count ?? 0;
    const [first, rest] = await this.#next(jobId, job.log?.parts(start, length) ?? []);
    return rest.length === 0
      ? { count, logs: [first] }
      : { count, logs: this.#all(jobId, first, rest) };
  }

  async *#all(
    jobId: string,
    first: readonly string[],
    others: readonly PartOfLog[],
  ): AsyncGenerator<readonly string[]> {
    yield first;
    for (let parts = others; parts.length > 0;) {
      const [lines, rest] = await this.#next(jobId, parts);
      yield lines;
      parts = rest;
    }
  }

  /** At least the first part, and about 256 kB. Lines that are gone by now are left out. @returns the parts that are left. */
  async #next(
    jobId: string,
    parts: readonly PartOfLog[],
  ): Promise<readonly [lines: readonly string[], rest: readonly PartOfLog[]]> {
    const some = parts.slice(0, MOST_AT_ONCE);
    const read = await this.#elsewhere(jobId, some);
    const lines: string[] = [];
    let [done, size] = [0, 0];
    for (const { number, from, to } of some) {
      const piece = this.#piece(jobId, number);
      const found = piece?.isWhole === true ? piece.lines : read.get(number);
      if (piece !== undefined && found === undefined) break;
      const wanted = found?.slice(from, to) ?? [];
      size += wanted.reduce((sum, line) => sum + line.length, 0);
      if (size > LARGEST_PIECE && done > 0) break;
      lines.push(...wanted);
      done += 1;
    }
    // None if the first piece left the memory while others were read.
    if (done === 0 && some.length > 0) return this.#next(jobId, parts);
    return [lines, parts.slice(done)];
  }

  /** The lines of pieces that are on a disk, by the numbers of these: at least those of the first. */
  async #elsewhere(
    jobId: string,
    parts: readonly PartOfLog[],
  ): Promise<ReadonlyMap<number, readonly string[]>> {
    const missing = parts.filter(({ number }) => this.#piece(jobId, number)?.isWhole === false);
    const numbers = missing.map(({ number }) => number);
    if (numbers.length === 0) return new Map();
    const { details, name } = this.#queue;
    const found = await details.log(name, jobId, numbers, LARGEST_PIECE);
    return new Map(found.map((lines, index) => [numbers[index] as number, lines]));
  }

  #piece(jobId: string, number: number): LogPiece | undefined {
    return this.#queue.jobs.find(jobId)?.log?.piece(number);
  }
}

function lengthOf(line: string): number {
  return line.length;
}

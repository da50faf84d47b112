import { isObject } from './json.ts';
import { enforce, enforceOptional, integer } from './rule.ts';

/** How many finished jobs stay, and for how many seconds. Both, either or none may be set. */
export interface Retention {
  readonly count?: number;
  /** Seconds. */
  readonly age?: number;
}

/** At most `max` calls start in any window of `duration` milliseconds. */
export interface Limiter {
  readonly max: number;
  readonly duration: number;
}

/** By how much a limiter's window is stretched: a part of its duration, at most so many milliseconds. */
const [STRETCHED_BY, LONGEST_STRETCH] = [1 / 20, 50];

/**
 * The span of time, in whole milliseconds, in which at most `max` calls start. It is a little longer than
 * `duration`: a call reaches the endpoint some time after its start, now later and now sooner, and shall
 * not be one too many there.
 */
export function limiterWindow({ duration }: Limiter): number {
  return Math.ceil(duration + Math.min(duration * STRETCHED_BY, LONGEST_STRETCH));
}

/** How a queue's jobs are processed (specification, "WorkerOptions"). */
export interface WorkerOptions {
  readonly concurrency?: number;
  readonly limiter?: Limiter;
  readonly removeOnComplete?: Retention;
  readonly removeOnFail?: Retention;
  readonly maxStalledCount?: number;
}

export const DEFAULT_CONCURRENCY = 1;
export const DEFAULT_MAX_STALLED_COUNT = 1;

export const workerOptionRules = {
  concurrency: integer(1),
  maxStalledCount: integer(0),
  limiterMax: integer(1),
  limiterDuration: integer(1),
  retentionCount: integer(0),
  retentionAge: integer(0),
} as const;

const object = { must: 'be an object', accepts: isObject };

/** @throws DomainError `invalid-request` naming the field under `path`. */
export function checkWorkerOptions(options: WorkerOptions, path: string): void {
  enforce(object, options, path);
  enforceOptional(workerOptionRules.concurrency, options.concurrency, `${path}.concurrency`);
  enforceOptional(
    workerOptionRules.maxStalledCount,
    options.maxStalledCount,
    `${path}.maxStalledCount`,
  );
  if (options.limiter !== undefined) {
    enforce(object, options.limiter, `${path}.limiter`);
    enforce(workerOptionRules.limiterMax, options.limiter.max, `${path}.limiter.max`);
    enforce(
      workerOptionRules.limiterDuration,
      options.limiter.duration,
      `${path}.limiter.duration`,
    );
  }
  checkRetention(options.removeOnComplete, `${path}.removeOnComplete`);
  checkRetention(options.removeOnFail, `${path}.removeOnFail`);
}

function checkRetention(retention: Retention | undefined, path: string): void {
  if (retention === undefined) return;
  enforce(object, retention, path);
  enforceOptional(workerOptionRules.retentionCount, retention.count, `${path}.count`);
  enforceOptional(workerOptionRules.retentionAge, retention.age, `${path}.age`);
}

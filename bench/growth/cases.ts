import type { Contender } from '../measure.ts';
import type { Stage } from '../stage.ts';

/** Jobs that are processed each time. */
const JOBS = 10_000;
const BATCH = 10;
const QUEUE = 'bench';
/** Far in the future, in milliseconds. */
const DELAY = 7 * 24 * 60 * 60 * 1000;

/** Something to process in one size; it begins once and is measured several times. */
export interface GrowthCase {
  readonly name: string;
  begin(stage: Stage, url: string): Promise<Pick<Contender, 'before' | 'run' | 'after'>>;
}

interface Backlog {
  /** Jobs that wait behind those that are processed. */
  readonly waiting: number;
  readonly delayed: number;
  readonly concurrency: number;
}

/** Works off a part of what waits in one queue. */
export function backlog(name: string, size: Partial<Backlog>): GrowthCase {
  const { waiting, delayed, concurrency } = {
    waiting: 1000,
    delayed: 0,
    concurrency: 100,
    ...size,
  };
  return {
    name,
    begin: async (stage, url) => {
      await stage.add(QUEUE, delayed, { delay: DELAY });
      let completed = 0;
      return {
        before: async () => {
          await stage.add(QUEUE, waiting + JOBS - (await stage.waiting(QUEUE)));
          completed = await stage.completed(QUEUE);
        },
        run: async () => {
          await stage.startWorker(QUEUE, url, concurrency);
          return (await stage.untilCompleted(QUEUE, completed + JOBS)) - completed;
        },
        after: () => stage.stopWorker(QUEUE),
      };
    },
  };
}

/**
 * Adds jobs to queues with waiting workers, and waits until all of them are processed. As many calls may run at once with
 * many queues as with one.
 */
export function spread(name: string, queues: number, concurrency: number): GrowthCase {
  const names = Array.from({ length: queues }, (_, index) => `${QUEUE}-${index}`);
  const batches = Array.from({ length: JOBS / BATCH }, (_, index) => names[index % queues] ?? '');
  return {
    name,
    begin: async (stage, url) => {
      for (const queue of names) await stage.startWorker(queue, url, concurrency);
      let completed = 0;
      return {
        run: async () => {
          completed += JOBS / queues;
          // One after the other: adds to one queue at the same time would share a run of the script.
          for (const queue of batches) await stage.add(queue, BATCH);
          for (const queue of names) await stage.untilCompleted(queue, completed);
          return JOBS;
        },
      };
    },
  };
}

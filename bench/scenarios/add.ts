import { queueNamed } from '../../test/support/queue-named.ts';
import { newJob } from '../../src/domain/jobs/job.ts';
import { BenchStore } from '../bench-store.ts';
import { measure, type Contender } from '../measure.ts';
import { result, type Result } from '../report.ts';

const JOBS = 20_000;
const BATCH = 100;
const IN_FLIGHT = 64;

const data = { to: 'someone@example.com', template: 'welcome', order: 4711 };

/** Runs `work` that many times, always that many at once. */
async function inFlight(
  times: number,
  atOnce: number,
  work: () => Promise<unknown>,
): Promise<void> {
  let left = times;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** Adding jobs through the store adapter, against the library's own calls. */
export async function benchAdd(rounds: number): Promise<readonly Result[]> {
  const store = await BenchStore.start();
  const { queues } = store.replica;
  const cleared = (name: string, add: () => Promise<unknown>): Contender => ({
    name,
    before: () => store.clear(),
    run: async () => {
      await add();
      return JOBS;
    },
  });
  const inputs = Array.from({ length: BATCH }, () => ({ name: 'mail', data }));
  try {
    const batches = await measure(
      [
        cleared('BullMQ addBulk(100)', async () => {
          for (let done = 0; done < JOBS; done += BATCH) await store.native.addBulk(inputs);
        }),
        cleared('jobgate batch of 100', async () => {
          for (let done = 0; done < JOBS; done += BATCH) {
            await queues.add(
              queueNamed('here'),
              inputs.map((input) => newJob(input, '')),
            );
          }
        }),
      ],
      rounds,
    );
    const singles = await measure(
      [
        cleared('BullMQ add', async () => {
          await inFlight(JOBS, IN_FLIGHT, () => store.native.add('mail', data));
        }),
        cleared('jobgate single add', async () => {
          await inFlight(JOBS, IN_FLIGHT, () =>
            queues.add(queueNamed('here'), [newJob({ name: 'mail', data }, '')]),
          );
        }),
      ],
      rounds,
    );
    return [
      result('Batches of 100, one after the other', 'jobs/s', batches, {
        'jobgate batch of 100': 2,
      }),
      result(`Single adds, ${IN_FLIGHT} in flight`, 'jobs/s', singles, {
        'jobgate single add': 1.2,
      }),
    ];
  } finally {
    await store.stop();
  }
}

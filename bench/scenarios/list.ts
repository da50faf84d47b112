import { queueNamed } from '../../test/support/queue-named.ts';
import { newJob } from '../../src/domain/jobs/job.ts';
import { JOB_STATUSES } from '../../src/domain/jobs/job-status.ts';
import { collected } from '../../test/support/collected.ts';
import { BenchStore } from '../bench-store.ts';
import { measure } from '../measure.ts';
import { result, type Result } from '../report.ts';

const PAGES = 1000;
const JOBS = 10_000;

/** Reading a page of 10 over all statuses, with the counts, against the library's getters. */
export async function benchList(rounds: number): Promise<readonly Result[]> {
  const store = await BenchStore.start();
  const { queues } = store.replica;
  const options = [{}, { delay: 600_000 }, { priority: 3 }];
  const jobs = Array.from({ length: JOBS }, (_, index) =>
    newJob({ name: 'mail', data: { index }, opts: options[index % 3] ?? {} }, ''),
  );
  await queues.add(queueNamed('native'), jobs);
  const page = (start: number) => async () => {
    const slice = await queues.list(queueNamed('native'), {
      statuses: JOB_STATUSES,
      start,
      length: 10,
    });
    return collected(slice.jobs);
  };
  const repeat = (name: string, read: () => Promise<unknown>) => ({
    name,
    run: async () => {
      for (let done = 0; done < PAGES; done += 1) await read();
      return PAGES;
    },
  });
  const statuses = [...JOB_STATUSES];
  try {
    const measured = await measure(
      [
        repeat('BullMQ getJobCounts and getJobs', () =>
          Promise.all([
            store.native.getJobCounts(...statuses),
            store.native.getJobs(statuses, 0, 9),
          ]),
        ),
        repeat('jobgate page of 10', page(0)),
        repeat('jobgate page of 10, 9,900 deep', page(9900)),
      ],
      rounds,
    );
    return [
      result('A page of 10 over all statuses', 'pages/s', measured, { 'jobgate page of 10': 2 }),
    ];
  } finally {
    await store.stop();
  }
}

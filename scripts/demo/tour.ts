import type { JobLogs } from '../../src/application/ports/queue-port.ts';
import type { Job, JobInput } from '../../src/domain/jobs/job.ts';
import type { JobWatch } from './job-watch.ts';
import type { RestClient } from './rest-client.ts';
import type { Screen } from './screen.ts';

export const QUEUE = 'welcome-mails';

const JOBS: readonly (readonly [remark: string, job: JobInput])[] = [
  ['will go through', mail('ada@example.com')],
  [
    'will be refused once by its mail server',
    mail('grace@greylisting.example', {
      attempts: 3,
      backoff: { type: 'exponential', delay: 1000 },
    }),
  ],
  ['cannot be sent at all', mail('nobody')],
  ['is not to start before two seconds have passed', mail('alan@example.com', { delay: 2000 })],
];

function mail(to: string, opts?: JobInput['opts']): JobInput {
  return { name: 'welcome', data: { to }, ...(opts && { opts }) };
}

/** Has the endpoint called, also for jobs of an earlier demo: it has another address each time. */
export async function register(
  jobgate: RestClient,
  endpointUrl: string,
  screen: Screen,
): Promise<void> {
  screen.title('1. Register the endpoint as the worker of a queue: POST /workers');
  const worker = {
    queue: QUEUE,
    endpoint: { url: endpointUrl, method: 'post', timeout: 10_000 },
    opts: { limiter: { max: 1, duration: 500 } },
  };
  screen.faint(JSON.stringify(worker));
  await jobgate.call('POST', '/workers', worker);
}

/** Shows a few jobs going through, step by step. Ends early when the signal aborts. */
export async function tour(
  jobgate: RestClient,
  watch: JobWatch,
  screen: Screen,
  signal: AbortSignal,
): Promise<void> {
  screen.title(`2. Add jobs, all or none of them: POST /queues/${QUEUE}/jobs`);
  const inputs = JOBS.map(([, job]) => job);
  const added = (await jobgate.call('POST', `/queues/${QUEUE}/jobs`, inputs)) as Job[];
  added.forEach(({ id }, index) => {
    const [remark, job] = JOBS[index] ?? [];
    screen.line(`#${id}  ${remark ?? ''}`);
    screen.faint(`    ${JSON.stringify(job)}`);
  });

  screen.title('3. jobgate calls the endpoint, whose answers complete, retry or fail the jobs');
  await watch.run(signal, 'all finished');
  if (signal.aborted) return;

  const [first] = added;
  const path = `/queues/${QUEUE}/jobs/${first?.id ?? ''}/logs`;
  screen.title(`4. What the endpoint logged for the first job: GET ${path}`);
  const logs = (await jobgate.call('GET', path)) as JobLogs;
  screen.line(JSON.stringify(logs));
}

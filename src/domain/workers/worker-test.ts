import type { Endpoint } from '../calls/endpoint.ts';
import { jobInputFields, type Job } from '../jobs/job.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { anyJson, object, optional, type Shaped } from '../values/shape.ts';

/** The job of a test call, as the client describes it. */
export const workerTestShape = object('WorkerTest', {
  name: optional(jobInputFields.name.shape, 'The kind of job; `test` by default'),
  data: optional(anyJson, 'Anything, for the endpoint; null by default'),
});

export type WorkerTestInput = Shaped<typeof workerTestShape>;

/** The header that marks a test call for the endpoint. */
const TEST_HEADER = 'jobgate-test';

/** A job that belongs to no queue. */
export function jobOfTest(queue: QueueName, { name, data }: WorkerTestInput, now: number): Job {
  return {
    queue,
    state: 'active',
    id: 'test',
    name: name ?? 'test',
    data: data ?? null,
    opts: { attempts: 0, delay: 0 },
    progress: 0,
    returnvalue: null,
    stacktrace: null,
    attemptsStarted: 1,
    attemptsMade: 0,
    delay: 0,
    timestamp: now,
    processedOn: now,
  };
}

/** The endpoint with the settings of a test call. */
export function testedEndpoint(endpoint: Endpoint): Endpoint {
  return { ...endpoint, headers: { ...endpoint.headers, [TEST_HEADER]: 'true' } };
}

/** A worker endpoint for jobgate with work that takes longer than a call: it accepts a job and completes it later. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorker, Fail, type Deferred } from 'jobgate-client';

/** How long jobgate waits for a completion or an extension, in milliseconds. */
const DEADLINE = 60_000;

const { PORT = '3000', MINUTE = '60000' } = process.env;

const worker = createWorker({
  secret: false, // Only programs on this machine can call it.
  otherwise: ({ data }, context) => {
    const { minutes } = (data ?? {}) as { readonly minutes?: unknown };
    if (typeof minutes !== 'number') throw new Fail('data.minutes must be a number');
    work(context.defer({ deadline: DEADLINE }), minutes).catch((error: unknown) => {
      // The job was cancelled, or another worker has it by now.
      console.error(error instanceof Error ? error.message : error);
    });
  },
});

/** Work of so many minutes, with a report to jobgate each minute. */
async function work(deferred: Deferred, minutes: number): Promise<void> {
  for (let minute = 1; minute <= minutes; minute += 1) {
    await sleep(Number(MINUTE));
    await deferred.progress({ minute, minutes });
    await deferred.extend(2 * DEADLINE);
  }
  await deferred.complete({ minutes });
}

const server = createServer((request, response) => void worker.node(request, response));
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

// No more calls come; the process ends with the last job.
process.once('SIGTERM', () => server.close());

import type { EndedJob } from 'jobgate-client';
import type { Declaration } from '../command.ts';
import { Failed } from '../failed.ts';
import { durationOf } from '../input/durations.ts';
import type { Invocation } from '../invocation.ts';
import { escapedJson } from '../output/escaped-json.ts';

/** Prints the result of a job, or its id when it failed. @throws Failed when it failed. */
export function showResult(call: Invocation, id: string, result: EndedJob): void {
  call.answer({ id, ...result }, ({ returnvalue }) =>
    result.state === 'completed' ? escapedJson(returnvalue, 'indented') : id,
  );
  if (result.state !== 'completed') {
    throw new Failed(`Job ${id} failed: ${result.failedReason ?? ''}`);
  }
}

export const waitCommand: Declaration = {
  usage: 'wait <queue> <job> [duration]',
  summary: 'wait until a job ends, and print its result',
  details: 'The exit code is 1 if the job fails, or has not ended after the duration.',
  examples: ['wait mail 17', 'wait mail 17 30s'],
  run: async (call) => {
    const [queue = '', id = '', most] = call.names;
    const timeout = most === undefined ? undefined : durationOf('The time', most);
    showResult(call, id, await call.jobgate.queue(queue).result(id, { timeout }));
  },
};

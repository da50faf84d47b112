import { FlowControls } from '../../application/pushes/flow-controls.ts';
import { PushAttempts } from '../../application/pushes/push-attempts.ts';
import { PushCallbacks } from '../../application/pushes/push-callbacks.ts';
import { PushCalls } from '../../application/pushes/push-calls.ts';
import { PushJobs } from '../../application/pushes/push-jobs.ts';
import { PushKeys } from '../../application/pushes/push-keys.ts';
import { PushQueues } from '../../application/pushes/push-queues.ts';
import { Pushes } from '../../application/pushes/pushes.ts';
import type { Jobs } from '../../application/jobs/jobs.ts';
import type { Workers } from '../../application/workers/workers.ts';
import type { Config } from '../config/config.ts';
import type { SharedParts } from './shared-parts.ts';

/** What calls for pushed messages, whether or not programs that speak QStash are served. */
export function composePushCalls(shared: SharedParts, jobs: Jobs, { qstash }: Config) {
  const pushKeys = new PushKeys(shared, qstash.keys);
  const pushJobs = new PushJobs(shared.destinations, shared.pushFormats);
  const callbacks = new PushCallbacks({ ...shared, jobs });
  const pushAttempts = new PushAttempts(new PushCalls(shared), callbacks, pushKeys);
  return { pushKeys, pushJobs, pushAttempts };
}

/** What serves programs that speak QStash. */
export function composePushes(
  shared: SharedParts,
  jobs: Jobs,
  workers: Workers,
  { pushJobs }: ReturnType<typeof composePushCalls>,
) {
  const pushQueues = new PushQueues(shared, workers);
  const flowControls = new FlowControls(shared.groups, shared.clock);
  return { pushes: new Pushes({ ...shared, jobs, pushJobs, pushQueues, flowControls }) };
}

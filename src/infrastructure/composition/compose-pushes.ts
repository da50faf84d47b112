import { PushFlowControls } from '../../application/pushes/push-flow-controls.ts';
import { PushPages } from '../../application/pushes/push-pages.ts';
import { PushQueueList } from '../../application/pushes/push-queue-list.ts';
import { PushSchedules } from '../../application/pushes/push-schedules.ts';
import { PushedMessages } from '../../application/pushes/pushed-messages.ts';
import { PushAttempts } from '../../application/pushes/push-attempts.ts';
import { PushCallbacks } from '../../application/pushes/push-callbacks.ts';
import { PushCalls } from '../../application/pushes/push-calls.ts';
import { PushJobs } from '../../application/pushes/push-jobs.ts';
import { PushKeys } from '../../application/pushes/push-keys.ts';
import { PushQueues } from '../../application/pushes/push-queues.ts';
import { Pushes } from '../../application/pushes/pushes.ts';
import type { Application } from '../../application/application.ts';
import type { Config } from '../config/config.ts';
import type { SharedParts } from './shared-parts.ts';

/** What calls for pushed messages, whether or not programs that speak QStash are served. */
export function composePushCalls(
  shared: SharedParts,
  jobs: Application['jobs'],
  { qstash }: Config,
) {
  const pushKeys = new PushKeys(shared, qstash.keys);
  const pushJobs = new PushJobs(shared.destinations, shared.pushFormats);
  const callbacks = new PushCallbacks({ ...shared, jobs });
  const pushAttempts = new PushAttempts(new PushCalls(shared), callbacks, pushKeys);
  return { pushKeys, pushJobs, pushAttempts };
}

type UsedCases = Pick<
  Application,
  'jobs' | 'jobActions' | 'workers' | 'queues' | 'groups' | 'schedulers' | 'urlGroups'
>;

/** What serves programs that speak QStash. */
export function composePushes(
  shared: SharedParts,
  { jobs, jobActions: actions, workers, queues, groups, schedulers, urlGroups }: UsedCases,
  { pushJobs, pushKeys, pushAttempts }: ReturnType<typeof composePushCalls>,
) {
  const parts = { ...shared, pushJobs };
  const pushQueues = new PushQueues(shared, workers);
  const pushes = new Pushes({ ...parts, jobs, pushQueues });
  const list = new PushQueueList({ ...shared, queues, pushQueues });
  const pushSchedules = new PushSchedules({ ...parts, schedulers, pushes, pushQueues, urlGroups });
  pushAttempts.publishBy(pushSchedules);
  return {
    pushes,
    pushKeys,
    pushQueueList: list,
    pushFlowControls: new PushFlowControls({ ...parts, list, groups, groupStore: shared.groups }),
    pushedMessages: new PushedMessages({ ...shared, pages: new PushPages(shared), list, actions }),
    pushSchedules,
  };
}

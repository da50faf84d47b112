import { AesSecretCipher } from '../../src/adapters/outbound/encryption/aes-secret-cipher.ts';
import { QstashFormats } from '../../src/adapters/outbound/qstash/qstash-formats.ts';
import type { Application } from '../../src/application/application.ts';
import type { Destinations } from '../../src/application/destinations/destinations.ts';
import type { KnownWorkers } from '../../src/application/kept/known-workers.ts';
import type { ClockPort } from '../../src/application/ports/clock-port.ts';
import { PushFlowControls } from '../../src/application/pushes/push-flow-controls.ts';
import { PushJobs } from '../../src/application/pushes/push-jobs.ts';
import { PushKeys } from '../../src/application/pushes/push-keys.ts';
import { PushPages } from '../../src/application/pushes/push-pages.ts';
import { PushQueueList } from '../../src/application/pushes/push-queue-list.ts';
import {
  PushQueues,
  type PushQueuesDependencies,
} from '../../src/application/pushes/push-queues.ts';
import { PushSchedules } from '../../src/application/pushes/push-schedules.ts';
import { PushedMessages } from '../../src/application/pushes/pushed-messages.ts';
import { Pushes } from '../../src/application/pushes/pushes.ts';
import type { StorePorts } from '../../src/application/store-ports.ts';
import type { Workers } from '../../src/application/workers/workers.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { Shape } from '../../src/domain/values/shape.ts';
import { RandomTokens } from '../../src/infrastructure/random-tokens.ts';
import { UuidMessageIds } from '../../src/infrastructure/uuid-message-ids.ts';

type Stores = Pick<
  StorePorts,
  'groups' | 'jobScan' | 'limitUse' | 'pushKeys' | 'queues' | 'urlGroups'
>;

type UsedCases = Pick<
  Application,
  'jobs' | 'jobActions' | 'queues' | 'groups' | 'schedulers' | 'urlGroups'
>;

interface PushesInTest extends PushQueuesDependencies {
  readonly workers: KnownWorkers;
  readonly registration: Workers;
  readonly destinations: Destinations;
  readonly queueName: Shape<QueueName>;
  readonly clock: ClockPort;
}

/** The use cases of pushed messages over the stores of a test. */
export function pushesInTest(
  { groups, jobScan: scan, limitUse, pushKeys, queues, urlGroups }: Stores,
  used: UsedCases,
  parts: PushesInTest,
) {
  const { registration, destinations } = parts;
  const pushQueues = new PushQueues(parts, registration);
  const pushJobs = new PushJobs(destinations, new QstashFormats());
  const shared = {
    ...used,
    ...parts,
    limitUse,
    pushJobs,
    pushQueues,
    messageIds: new UuidMessageIds(),
  };
  const pushes = new Pushes({ ...shared, urlGroups });
  const list = new PushQueueList(shared);
  const actions = used.jobActions;
  const pages = new PushPages({ scan, queues });
  const keys = { pushKeys, cipher: new AesSecretCipher([]), tokens: new RandomTokens() };
  return {
    pushes,
    pushKeys: new PushKeys(keys, undefined),
    pushQueueList: list,
    pushFlowControls: new PushFlowControls({ ...shared, list, groupStore: groups }),
    pushedMessages: new PushedMessages({ ...shared, queues, pages, list, actions }),
    pushSchedules: new PushSchedules({ ...shared, pushes }),
  };
}

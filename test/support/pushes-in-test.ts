import { QstashFormats } from '../../src/adapters/outbound/qstash/qstash-formats.ts';
import type { Destinations } from '../../src/application/destinations/destinations.ts';
import type { Jobs } from '../../src/application/jobs/jobs.ts';
import type { KeptUrlGroups } from '../../src/application/kept/url-groups.ts';
import type { ClockPort } from '../../src/application/ports/clock-port.ts';
import type { GroupStorePort } from '../../src/application/ports/group-store-port.ts';
import { FlowControls } from '../../src/application/pushes/flow-controls.ts';
import { PushJobs } from '../../src/application/pushes/push-jobs.ts';
import {
  PushQueues,
  type PushQueuesDependencies,
} from '../../src/application/pushes/push-queues.ts';
import { Pushes } from '../../src/application/pushes/pushes.ts';
import type { Workers } from '../../src/application/workers/workers.ts';
import { UuidMessageIds } from '../../src/infrastructure/uuid-message-ids.ts';

interface PushesInTest extends PushQueuesDependencies {
  readonly jobs: Jobs;
  readonly registration: Workers;
  readonly destinations: Destinations;
  readonly groups: GroupStorePort;
  readonly urlGroups: KeptUrlGroups;
  readonly clock: ClockPort;
}

/** The use cases of pushed messages over the stores of a test. */
export function pushesInTest(parts: PushesInTest) {
  const { jobs, registration, destinations, groups, urlGroups, clock } = parts;
  return {
    pushes: new Pushes({
      jobs,
      pushJobs: new PushJobs(destinations, new QstashFormats()),
      pushQueues: new PushQueues(parts, registration),
      flowControls: new FlowControls(groups, clock),
      urlGroups,
      messageIds: new UuidMessageIds(),
    }),
  };
}

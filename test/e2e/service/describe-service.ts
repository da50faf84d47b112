import { ServiceProcess } from '../../support/service-process.ts';
import { ServiceContext } from './context.ts';
import { describeAttempts } from './attempts.ts';
import { describeBatches } from './batches.ts';
import { describeDestinations } from './destinations.ts';
import { describeEndpointCalls } from './endpoint-calls.ts';
import { describeErasing } from './erasing.ts';
import { describeHooksAndCallbacks } from './hooks-and-callbacks.ts';
import { describeHookConditions } from './hook-conditions.ts';
import { describeJobs } from './jobs.ts';
import { describeProcessing } from './processing.ts';
import { describeProgressAndLogs } from './progress-and-logs.ts';
import { describeQueues } from './queues.ts';
import { describeRestRules } from './rest-rules.ts';
import { describeSteps } from './steps.ts';
import { describeWorkerHealth } from './worker-health.ts';
import { describeWorkers } from './workers.ts';
import { isSlowLane } from '../../support/lane.ts';

type Part = (context: ServiceContext) => void;

/** What a webhook client has a share in: the everyday lane of the second client. */
export const PARTS_OF_CALLS: readonly Part[] = [
  describeProcessing,
  describeEndpointCalls,
  describeBatches,
  describeSteps,
  describeDestinations,
  describeAttempts,
  describeProgressAndLogs,
  describeHooksAndCallbacks,
];

/**
 * What a store has a share in: the everyday lane of the Cluster, the embedded store and PostgreSQL, beside the ports on
 * each. What is above the stores is played on memory and on Redis.
 */
export const PARTS_OF_STORES: readonly Part[] = [
  describeJobs,
  describeAttempts,
  describeProgressAndLogs,
  describeHooksAndCallbacks,
  describeWorkers,
  describeQueues,
  describeErasing,
];

const PARTS: readonly Part[] = [
  describeJobs,
  ...PARTS_OF_CALLS,
  describeWorkers,
  describeWorkerHealth,
  describeQueues,
  describeHookConditions,
  describeRestRules,
  describeErasing,
];

/** The service that plays in the everyday lane what goes by the clocks of the service, above the stores. */
const EVERYDAY = 'STORE=redis';

/** The same end-to-end suite for every store, against the service in a process of its own. */
export function describeService(
  name: string,
  environment: () => Promise<Readonly<Record<string, string>>>,
  prefix?: string,
  parts = PARTS,
): void {
  describe(`the service with ${name}`, () => {
    let service: ServiceProcess;
    const context = new ServiceContext(() => service, prefix, isSlowLane || name === EVERYDAY);

    before(async () => {
      service = await ServiceProcess.start(await environment());
    });
    afterEach(() => context.cleanUp());
    after(() => service.stop());

    for (const describePart of isSlowLane ? PARTS : parts) describePart(context);
  });
}

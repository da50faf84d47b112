import { ServiceProcess } from '../../support/service-process.ts';
import { ServiceContext } from './context.ts';
import { describeAttempts } from './attempts.ts';
import { describeBatches } from './batches.ts';
import { describeEndpointCalls } from './endpoint-calls.ts';
import { describeErasing } from './erasing.ts';
import { describeHooksAndCallbacks } from './hooks-and-callbacks.ts';
import { describeHookConditions } from './hook-conditions.ts';
import { describeJobs } from './jobs.ts';
import { describeProcessing } from './processing.ts';
import { describeProgressAndLogs } from './progress-and-logs.ts';
import { describeQueues } from './queues.ts';
import { describeRestRules } from './rest-rules.ts';
import { describeWorkerHealth } from './worker-health.ts';
import { describeWorkers } from './workers.ts';

/** The same end-to-end suite for every store, against the service in a process of its own. */
export function describeService(
  name: string,
  environment: () => Promise<Readonly<Record<string, string>>>,
  prefix?: string,
): void {
  describe(`the service with ${name}`, () => {
    let service: ServiceProcess;
    const context = new ServiceContext(() => service, prefix);

    before(async () => {
      service = await ServiceProcess.start(await environment());
    });
    afterEach(() => context.cleanUp());
    after(() => service.stop());

    describeJobs(context);
    describeProcessing(context);
    describeEndpointCalls(context);
    describeBatches(context);
    describeAttempts(context);
    describeProgressAndLogs(context);
    describeWorkers(context);
    describeWorkerHealth(context);
    describeQueues(context);
    describeHookConditions(context);
    describeRestRules(context);
    describeHooksAndCallbacks(context);
    describeErasing(context);
  });
}

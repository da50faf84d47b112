import { describeAttemptPort } from '../../contracts/attempt-port.contract.ts';
import { describeCallFiguresPort } from '../../contracts/call-figures-port.contract.ts';
import { describeAwaitedAdds } from '../../contracts/awaited-adds.contract.ts';
import { describePolicyStorePort } from '../../contracts/policy-store-port.contract.ts';
import { describeEventPort } from '../../contracts/event-port.contract.ts';
import { describeAllEvents } from '../../contracts/all-events.contract.ts';
import { describeEventSubscriptions } from '../../contracts/event-subscriptions.contract.ts';
import { describeTicketStorePort } from '../../contracts/ticket-store-port.contract.ts';
import { describeSchedulerPort } from '../../contracts/scheduler-port.contract.ts';
import { describeExpiryPort } from '../../contracts/expiry-port.contract.ts';
import { describeFlowPort } from '../../contracts/flow-port.contract.ts';
import { describeJobControlPort } from '../../contracts/job-control-port.contract.ts';
import { describeBulkRepairs } from '../../contracts/bulk-repairs.contract.ts';
import { describeJobEndingsPort } from '../../contracts/job-endings-port.contract.ts';
import { describeJobScanPort } from '../../contracts/job-scan-port.contract.ts';
import { describeQueueControlPort } from '../../contracts/queue-control-port.contract.ts';
import { describeQueueDirectoryPort } from '../../contracts/queue-directory-port.contract.ts';
import { describeQueuePort } from '../../contracts/queue-port.contract.ts';
import type { QueueHarness } from '../../contracts/queue-harness.ts';
import { redisQueueHarness } from '../../support/redis/redis-queue-harness.ts';
import { TestConnections } from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';

async function harness(): Promise<QueueHarness> {
  const { uri } = await testStore();
  return redisQueueHarness(() => TestConnections.open(uri));
}

describeQueuePort('Redis', harness);
describeAttemptPort('Redis', harness);
describeJobControlPort('Redis', harness);
describeQueueControlPort('Redis', harness);
describeJobScanPort('Redis', harness);
describeJobEndingsPort('Redis', harness);
describeSchedulerPort('Redis', harness);
describeAwaitedAdds('Redis', harness);
describeEventPort('Redis', harness);
describeEventSubscriptions('Redis', harness);
describeAllEvents('Redis', harness);
describeTicketStorePort('Redis', harness);
describeQueueDirectoryPort('Redis', harness);
describeBulkRepairs('Redis', harness);
describeExpiryPort('Redis', harness);
describeFlowPort('Redis', harness);
describePolicyStorePort('Redis', harness);
describeCallFiguresPort('Redis', harness);

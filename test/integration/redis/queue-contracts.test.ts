import { describeJobConsumerPort } from '../../contracts/job-consumer-port.contract.ts';
import { describeQueuePort } from '../../contracts/queue-port.contract.ts';
import { redisQueueHarness } from '../../support/redis/redis-queue-harness.ts';
import { testStore } from '../../support/redis/test-store.ts';

describeQueuePort('Redis', async () => redisQueueHarness((await testStore()).uri));
describeJobConsumerPort('Redis', async () => redisQueueHarness((await testStore()).uri));

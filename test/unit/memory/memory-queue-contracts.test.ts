import { describeJobConsumerPort } from '../../contracts/job-consumer-port.contract.ts';
import { describeQueuePort } from '../../contracts/queue-port.contract.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';

describeQueuePort('memory', () => Promise.resolve(memoryQueueHarness()));
describeJobConsumerPort('memory', () => Promise.resolve(memoryQueueHarness()));

import { describeAttemptPort } from '../../contracts/attempt-port.contract.ts';
import { describeExpiryPort } from '../../contracts/expiry-port.contract.ts';
import { describeJobControlPort } from '../../contracts/job-control-port.contract.ts';
import { describeBulkRepairs } from '../../contracts/bulk-repairs.contract.ts';
import { describeJobScanPort } from '../../contracts/job-scan-port.contract.ts';
import { describeQueueControlPort } from '../../contracts/queue-control-port.contract.ts';
import { describeQueueDirectoryPort } from '../../contracts/queue-directory-port.contract.ts';
import { describeQueuePort } from '../../contracts/queue-port.contract.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';

describeQueuePort('memory', () => Promise.resolve(memoryQueueHarness()));
describeAttemptPort('memory', () => Promise.resolve(memoryQueueHarness()));
describeJobControlPort('memory', () => Promise.resolve(memoryQueueHarness()));
describeQueueControlPort('memory', () => Promise.resolve(memoryQueueHarness()));
describeJobScanPort('memory', () => Promise.resolve(memoryQueueHarness()));
describeQueueDirectoryPort('memory', () => Promise.resolve(memoryQueueHarness()));
describeBulkRepairs('memory', () => Promise.resolve(memoryQueueHarness()));
describeExpiryPort('memory', () => Promise.resolve(memoryQueueHarness()));

import { describeAttemptHolderPort } from '../../contracts/attempt-holder-port.contract.ts';
import { describeBulkRepairs } from '../../contracts/bulk-repairs.contract.ts';
import { describeLimitUsePort } from '../../contracts/limit-use-port.contract.ts';
import { describeDemandPort } from '../../contracts/demand-port.contract.ts';
import { describeFlowPort } from '../../contracts/flow-port.contract.ts';
import { describeGroupStorePort } from '../../contracts/group-store-port.contract.ts';
import { describeJobControlPort } from '../../contracts/job-control-port.contract.ts';
import { describeJobScanPort } from '../../contracts/job-scan-port.contract.ts';
import { describeJobsOfGroups } from '../../contracts/jobs-of-groups.contract.ts';
import { describeRedrives } from '../../contracts/redrives.contract.ts';
import { describeSchedulerPort } from '../../contracts/scheduler-port.contract.ts';
import { replicasInMemory } from '../../support/postgres/replicas-in-memory.ts';

const harness = () => Promise.resolve(replicasInMemory());

/*
 * What these ports do is a matter of rules, and of what one replica writes and the other reads: the slow lane plays them
 * on a server too.
 */
describe('the ports on PostgreSQL, without a server', () => {
  for (const describePort of [
    describeAttemptHolderPort,
    describeJobControlPort,
    describeJobScanPort,
    describeSchedulerPort,
    describeBulkRepairs,
    describeRedrives,
    describeFlowPort,
    describeJobsOfGroups,
    describeGroupStorePort,
    describeDemandPort,
    describeLimitUsePort,
  ]) {
    describePort('replicas on a log in memory', harness);
  }
});

import { describeAttemptEnginePort } from '../../contracts/attempt-engine-port.contract.ts';
import { describeAttemptHolderPort } from '../../contracts/attempt-holder-port.contract.ts';
import { describeAttemptSweepPort } from '../../contracts/attempt-sweep-port.contract.ts';
import { describeDemandPort } from '../../contracts/demand-port.contract.ts';
import { describeQueueStandingPort } from '../../contracts/queue-standing-port.contract.ts';
import { describeBreakerPort } from '../../contracts/breaker-port.contract.ts';
import { describeStepPort } from '../../contracts/step-port.contract.ts';
import { describeCallFiguresPort } from '../../contracts/call-figures-port.contract.ts';
import { describeFiguresPort } from '../../contracts/figures-port.contract.ts';
import { describeJobPartPort } from '../../contracts/job-part-port.contract.ts';
import { describeAwaitedAdds } from '../../contracts/awaited-adds.contract.ts';
import { describeAuditStorePort } from '../../contracts/audit-store-port.contract.ts';
import { describeCollectionPort } from '../../contracts/collection-port.contract.ts';
import { describeSharedWorkPort } from '../../contracts/shared-work-port.contract.ts';
import { describeAccessTokenStorePort } from '../../contracts/access-token-store-port.contract.ts';
import { describeSettingSetPort } from '../../contracts/setting-set-port.contract.ts';
import { describeSessionStorePort } from '../../contracts/session-store-port.contract.ts';
import { describeSchedulerPort } from '../../contracts/scheduler-port.contract.ts';
import { describeEventPort } from '../../contracts/event-port.contract.ts';
import { describeEndMessages } from '../../contracts/end-messages.contract.ts';
import { describeEndedRemovalPort } from '../../contracts/ended-removal-port.contract.ts';
import { describeRedactionPort } from '../../contracts/redaction-port.contract.ts';
import { describeErasurePort } from '../../contracts/erasure-port.contract.ts';
import { describeExpiryPort } from '../../contracts/expiry-port.contract.ts';
import { describeFlowPort } from '../../contracts/flow-port.contract.ts';
import { describeJobsOfGroups } from '../../contracts/jobs-of-groups.contract.ts';
import { describeJobControlPort } from '../../contracts/job-control-port.contract.ts';
import { describeBulkRepairs } from '../../contracts/bulk-repairs.contract.ts';
import { describeReleasedChildren } from '../../contracts/released-children.contract.ts';
import { describeRedrives } from '../../contracts/redrives.contract.ts';
import { describeJobEndingsPort } from '../../contracts/job-endings-port.contract.ts';
import { describeJobScanPort } from '../../contracts/job-scan-port.contract.ts';
import { describeQueueControlPort } from '../../contracts/queue-control-port.contract.ts';
import { describeQueueDirectoryPort } from '../../contracts/queue-directory-port.contract.ts';
import { describeQueuePort } from '../../contracts/queue-port.contract.ts';
import { fileQueueHarness } from '../../support/embedded/file-queue-harness.ts';
import { isSlowLane } from '../../support/lane.ts';

// Tickets, codes, quotas and subscriptions end with the process, as in memory.
describeQueuePort('embedded', fileQueueHarness);
describeAttemptEnginePort('embedded', fileQueueHarness);
describeAttemptHolderPort('embedded', fileQueueHarness);
describeAttemptSweepPort('embedded', fileQueueHarness);
describeQueueControlPort('embedded', fileQueueHarness);
describeJobScanPort('embedded', fileQueueHarness);
describeJobEndingsPort('embedded', fileQueueHarness);
describeEventPort('embedded', fileQueueHarness);
describeAwaitedAdds('embedded', fileQueueHarness);
describeSessionStorePort('embedded', fileQueueHarness);
describeSettingSetPort('embedded', fileQueueHarness);
describeQueueDirectoryPort('embedded', fileQueueHarness);
describeFlowPort('embedded', fileQueueHarness);
describeReleasedChildren('embedded', fileQueueHarness);
describeEndedRemovalPort('embedded', fileQueueHarness);
describeRedactionPort('embedded', fileQueueHarness);
describeErasurePort('embedded', fileQueueHarness);
describeExpiryPort('embedded', fileQueueHarness);
describeEndMessages('embedded', fileQueueHarness);
describeAuditStorePort('embedded', fileQueueHarness);
describeAccessTokenStorePort('embedded', fileQueueHarness);
describeCollectionPort('embedded', fileQueueHarness);
describeSharedWorkPort('embedded', fileQueueHarness);
describeCallFiguresPort('embedded', fileQueueHarness);
describeFiguresPort('embedded', fileQueueHarness);
describeJobPartPort('embedded', fileQueueHarness);
describeBreakerPort('embedded', fileQueueHarness);
describeStepPort('embedded', fileQueueHarness);
describeQueueStandingPort('embedded', fileQueueHarness);

// What these do is a matter of rules, which memory and replicas on PostgreSQL without a server play everyday: these write
// and read the same records.
if (isSlowLane) {
  describeJobControlPort('embedded', fileQueueHarness);
  describeSchedulerPort('embedded', fileQueueHarness);
  describeBulkRepairs('embedded', fileQueueHarness);
  describeRedrives('embedded', fileQueueHarness);
  describeJobsOfGroups('embedded', fileQueueHarness);
  describeDemandPort('embedded', fileQueueHarness);
}

import { AttemptReports } from '../../application/attempts/attempt-reports.ts';
import { JobCallbacks } from '../../application/deliveries/job-callbacks.ts';
import { RecentFailures } from '../../application/figures/recent-failures.ts';
import { Flows } from '../../application/flows/flows.ts';
import { AwaitedAdds } from '../../application/jobs/awaited-adds.ts';
import { BlockedJobs } from '../../application/jobs/blocked-jobs.ts';
import { BulkRepairs } from '../../application/jobs/bulk-repairs.ts';
import { EndedJobsSweep } from '../../application/jobs/ended-jobs-sweep.ts';
import { ErasureListener, type ForgetsReasons } from '../../application/jobs/erasure-listener.ts';
import { Erasures } from '../../application/jobs/erasures.ts';
import { Failures } from '../../application/jobs/failures.ts';
import { GroupListing } from '../../application/jobs/group-listing.ts';
import { JobActions } from '../../application/jobs/job-actions.ts';
import { JobResults } from '../../application/jobs/job-results.ts';
import { JobSearch } from '../../application/jobs/job-search.ts';
import { JobWaits } from '../../application/jobs/job-waits.ts';
import { Jobs } from '../../application/jobs/jobs.ts';
import { LetterOrigins } from '../../application/jobs/letter-origins.ts';
import { PayloadSweep } from '../../application/jobs/payload-sweep.ts';
import { Redrives } from '../../application/jobs/redrives.ts';
import { RepairCodes } from '../../application/jobs/repair-codes.ts';
import { ExpirySweep } from '../../application/maintenance/expiry-sweep.ts';
import { OverdueSweep } from '../../application/maintenance/overdue-sweep.ts';
import { VisibleMessages } from '../../application/maintenance/visible-messages.ts';
import { Receives } from '../../application/messages/receives.ts';
import { ClaimNotes } from '../../application/pulls/claim-notes.ts';
import { JobClaims } from '../../application/pulls/job-claims.ts';
import { flowJobShape } from '../../domain/flows/flow.ts';
import type { Config } from '../config/config.ts';
import type { SharedParts } from './shared-parts.ts';

export type JobsParts = ReturnType<typeof composeJobs>;

/** What reads and changes jobs, and the sweeps that end them in time. */
export function composeJobs(shared: SharedParts, { queues: limits, workers }: Config) {
  const { callRecorder, clock, figureRecorder, logger, observer, queues, scan, signals } = shared;
  const { lockDuration, stalledInterval } = workers;
  const jobs = new Jobs({ ...shared, maxJobsPerAdd: limits.maxJobsPerAdd });
  const waits = new JobWaits(queues, shared.jobEndings, clock);
  const jobSearch = new JobSearch(scan, queues, shared.parts, clock);
  const recentFailures = new RecentFailures(shared.figures, clock);
  const recorders: ForgetsReasons = {
    forget: (queue) => {
      callRecorder.forget(queue);
      figureRecorder.forget(queue);
      recentFailures.forget();
    },
  };
  const notes = new ClaimNotes(shared.standings, clock);
  const claims = new JobClaims({ ...shared, notes }, signals, lockDuration);
  const reports = new AttemptReports(shared);
  const visible = new VisibleMessages(shared);
  const overdue = new OverdueSweep({ ...shared, messages: visible }, stalledInterval);
  return {
    useCases: {
      jobs,
      awaitedAdds: new AwaitedAdds(jobs, waits, clock),
      jobCallbacks: new JobCallbacks(shared.deliveries),
      jobClaims: claims,
      attemptReports: reports,
      receives: new Receives({ ...shared, claims, reports, visible, sweep: overdue }),
      jobActions: new JobActions({ ...shared, workers: shared.workerStore }),
      jobResults: new JobResults(queues, waits, clock),
      jobSearch,
      groupListing: new GroupListing(jobs, jobSearch),
      blockedJobs: new BlockedJobs({ ...shared, jobs }),
      flows: new Flows({ ...shared, ids: shared.tokens, shape: flowJobShape(shared.queueName) }),
      failures: new Failures(scan, queues),
      recentFailures,
      bulkRepairs: new BulkRepairs({ ...shared, workers: shared.workerStore }),
      redrives: new Redrives({ ...shared, queues: shared.movingQueues }),
      letterOrigins: new LetterOrigins(scan),
      erasures: new Erasures({ ...shared, hooks: shared.storedHooks, recorders }),
      repairCodes: new RepairCodes(shared.repairCodes, shared.tokens),
    },
    erasureListener: new ErasureListener(signals, recorders),
    overdue,
    expiry: new ExpirySweep(shared.expiry, observer, logger),
    ended: new EndedJobsSweep({
      ...shared,
      removal: shared.endedRemoval,
      byDefault: limits.defaultRetention,
    }),
    payloads: new PayloadSweep(shared),
  };
}

import { AttemptReports } from '../../application/attempts/attempt-reports.ts';
import { JobCallbacks } from '../../application/deliveries/job-callbacks.ts';
import { RecentFailures } from '../../application/figures/recent-failures.ts';
import { Flows } from '../../application/flows/flows.ts';
import { BlockedJobs } from '../../application/jobs/blocked-jobs.ts';
import { BulkRepairs } from '../../application/jobs/bulk-repairs.ts';
import { Erasures, type ForgetsReasons } from '../../application/jobs/erasures.ts';
import { Failures } from '../../application/jobs/failures.ts';
import { JobActions } from '../../application/jobs/job-actions.ts';
import { JobSearch } from '../../application/jobs/job-search.ts';
import { JobWaits } from '../../application/jobs/job-waits.ts';
import { Jobs } from '../../application/jobs/jobs.ts';
import { LetterOrigins } from '../../application/jobs/letter-origins.ts';
import { PolicySweep } from '../../application/jobs/policy-sweep.ts';
import { payloadRule, retentionRule } from '../../application/jobs/policy-sweeps.ts';
import { Redrives } from '../../application/jobs/redrives.ts';
import { RepairCodes } from '../../application/jobs/repair-codes.ts';
import { ExpirySweep } from '../../application/maintenance/expiry-sweep.ts';
import { OverdueSweep } from '../../application/maintenance/overdue-sweep.ts';
import { VisibleMessages } from '../../application/maintenance/visible-messages.ts';
import { Receives } from '../../application/messages/receives.ts';
import { ClaimNotes } from '../../application/pulls/claim-notes.ts';
import { JobClaims } from '../../application/pulls/job-claims.ts';
import { JobSteps } from '../../application/steps/job-steps.ts';
import { Signals } from '../../application/steps/signals.ts';
import { Publishing } from '../../application/topics/publishing.ts';
import { Subscriptions } from '../../application/topics/subscriptions.ts';
import { flowJobShape } from '../../domain/flows/flow.ts';
import type { Config } from '../config/config.ts';
import type { SharedParts } from './shared-parts.ts';

export type JobsParts = ReturnType<typeof composeJobs>;

/** What reads and changes jobs, and the sweeps that end them in time. */
export function composeJobs(shared: SharedParts, { queues: limits, workers }: Config) {
  const { callRecorder, clock, figureRecorder, logger, observer, queues, scan, signals } = shared;
  const { lockDuration, stalledInterval } = workers;
  const jobs = new Jobs({ ...shared, maxJobsPerAdd: limits.maxJobsPerAdd });
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
      jobWaits: new JobWaits(jobs, queues, shared.jobEndings, clock),
      jobCallbacks: new JobCallbacks(shared.deliveries),
      steps: new JobSteps(shared),
      signals: new Signals(shared.jobSignals),
      jobClaims: claims,
      attemptReports: reports,
      receives: new Receives({ ...shared, claims, reports, visible, sweep: overdue }),
      jobActions: new JobActions({ ...shared, workers: shared.workerStore }),
      jobSearch: new JobSearch(scan, queues, shared.parts, clock),
      blockedJobs: new BlockedJobs({ ...shared, jobs }),
      flows: new Flows({ ...shared, ids: shared.tokens, shape: flowJobShape(shared.queueName) }),
      subscriptions: new Subscriptions(shared),
      publishing: new Publishing({ ...shared, maxJobsPerAdd: limits.maxJobsPerAdd }),
      failures: new Failures(scan, queues),
      recentFailures,
      bulkRepairs: new BulkRepairs({ ...shared, workers: shared.workerStore }),
      redrives: new Redrives({ ...shared, queues: shared.movingQueues }),
      letterOrigins: new LetterOrigins(scan),
      erasures: new Erasures({ ...shared, hooks: shared.storedHooks, recorders }),
      repairCodes: new RepairCodes(shared.repairCodes, shared.tokens),
    },
    overdue,
    expiry: new ExpirySweep(shared.expiry, observer, logger),
    ended: new PolicySweep(shared, retentionRule(shared.endedRemoval, limits.defaultRetention)),
    payloads: new PolicySweep(shared, payloadRule(shared.redaction)),
  };
}

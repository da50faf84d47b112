import type { Application } from './application.ts';
import { attemptReportOperations } from './operations/attempt-report-operations.ts';
import { blockedJobOperations } from './operations/blocked-job-operations.ts';
import { bulkRepairOperations } from './operations/bulk-repair-operations.ts';
import { demandOperations } from './operations/demand-operations.ts';
import { erasureOperations } from './operations/erasure-operations.ts';
import { eventOperations } from './operations/event-operations.ts';
import { failureOperations } from './operations/failure-operations.ts';
import { figureOperations } from './operations/figure-operations.ts';
import { flowOperations } from './operations/flow-operations.ts';
import { groupOperations } from './operations/group-operations.ts';
import { hookOperations } from './operations/hook-operations.ts';
import { jobActionOperations } from './operations/job-action-operations.ts';
import { jobClaimOperations } from './operations/job-claim-operations.ts';
import { jobOperations } from './operations/job-operations.ts';
import { jobResultOperations } from './operations/job-result-operations.ts';
import { jobSearchOperations } from './operations/job-search-operations.ts';
import { limitOperations } from './operations/limit-operations.ts';
import { messageOperations } from './operations/message-operations.ts';
import type { Named } from './operations/operation.ts';
import type { OperationSettings } from './operations/operation-settings.ts';
import { policyOperations } from './operations/policy-operations.ts';
import { pushOperations } from './operations/push-operations.ts';
import { pushQueueOperations } from './operations/push-queue-operations.ts';
import { pushScheduleOperations } from './operations/push-schedule-operations.ts';
import { pushedMessageOperations } from './operations/pushed-message-operations.ts';
import { queueOperations } from './operations/queue-operations.ts';
import { redriveOperations } from './operations/redrive-operations.ts';
import { schedulerOperations } from './operations/scheduler-operations.ts';
import { serviceOperations } from './operations/service-operations.ts';
import { sessionOperations } from './operations/session-operations.ts';
import { settingSetOperations } from './operations/setting-set-operations.ts';
import { signInOperations } from './operations/sign-in-operations.ts';
import { signalOperations } from './operations/signal-operations.ts';
import { stepOperations } from './operations/step-operations.ts';
import { ticketOperations } from './operations/ticket-operations.ts';
import { tokenOperations } from './operations/token-operations.ts';
import { topicOperations } from './operations/topic-operations.ts';
import { urlGroupOperations } from './operations/url-group-operations.ts';
import { workerOperations } from './operations/worker-operations.ts';

/** Everything that callers can have the service do, by area, for every way in. */
export function operationCatalogue(
  application: Application,
  { queuePrefix, queueName, maxReturnValue }: OperationSettings,
) {
  const { jobSearch, jobWaits, letterOrigins } = application;
  const { queues, figuredQueues, failures, recentFailures, hooks, hookTest } = application;
  return named({
    jobs: jobOperations(application, queuePrefix),
    jobActions: jobActionOperations(application.jobActions, queuePrefix),
    jobClaims: jobClaimOperations(application.jobClaims, queuePrefix),
    attemptReports: attemptReportOperations(application.attemptReports, maxReturnValue),
    jobResults: jobResultOperations(jobWaits),
    steps: stepOperations(application.steps, queueName),
    signals: signalOperations(application.signals),
    blockedJobs: blockedJobOperations(application.blockedJobs),
    jobSearch: jobSearchOperations(jobSearch, letterOrigins, queuePrefix),
    bulkRepairs: bulkRepairOperations(application.bulkRepairs),
    redrives: redriveOperations(application.redrives, queueName),
    erasures: erasureOperations(application.erasures),
    failures: failureOperations(failures, recentFailures),
    figures: figureOperations(application.figures),
    demands: demandOperations(application.scalingDemands),
    flows: flowOperations(application.flows),
    queues: queueOperations(queues, figuredQueues),
    groups: groupOperations(application.groups),
    events: eventOperations(application.events, application.digests),
    tickets: ticketOperations(application.tickets),
    workers: workerOperations(application, queueName),
    hooks: hookOperations(hooks, hookTest),
    limits: limitOperations(application.limits),
    messages: messageOperations(application),
    urlGroups: urlGroupOperations(application.urlGroups),
    pushes: pushOperations(application),
    pushedMessages: pushedMessageOperations(application.pushedMessages),
    pushQueues: pushQueueOperations(application),
    pushSchedules: pushScheduleOperations(application.pushSchedules),
    policies: policyOperations(application.policies),
    schedulers: schedulerOperations(application.schedulers, queuePrefix),
    topics: topicOperations(application, queueName),
    settingSets: settingSetOperations(application),
    tokens: tokenOperations(application.accessTokens),
    sessions: sessionOperations(application.sessions),
    signIn: signInOperations(application.signIn, application.sessions),
    service: serviceOperations(application),
  });
}

export type OperationCatalogue = ReturnType<typeof operationCatalogue>;

type NamedIn<Areas> = {
  readonly [Area in keyof Areas]: {
    readonly [Id in keyof Areas[Area]]: Areas[Area][Id] & Named;
  };
};

/** Gives each operation its key as its name. */
export function named<Areas extends Readonly<Record<string, object>>>(
  areas: Areas,
): NamedIn<Areas> {
  const entries = Object.entries(areas).map(([area, operations]) => {
    const rows = Object.entries<object>(operations as Readonly<Record<string, object>>);
    return [area, Object.fromEntries(rows.map(([id, row]) => [id, { ...row, id }]))];
  });
  return Object.fromEntries(entries) as NamedIn<Areas>;
}

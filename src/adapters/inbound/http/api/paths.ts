import { readinessShape } from '../../../../application/operations/service-operations.ts';
import type { RepairCodes } from '../../../../application/jobs/repair-codes.ts';
import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import {
  addedJobsAnswer,
  unendedJobAnswer,
} from '../../../../application/operations/answers/job-answers.ts';
import type { AddedJobs } from '../../../../application/operations/shown-adds.ts';
import { eventId } from '../../../../domain/events/event-id.ts';
import { flowJobShape } from '../../../../domain/flows/flow.ts';
import { queueOfHook } from '../../../../domain/queues/own-queue.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { anyJson, type Shape } from '../../../../domain/values/shape.ts';
import { messageId } from '../../../shared/message-id.ts';
import { digestOf } from '../../exchange/token-holders.ts';
import { jsonInRange } from '../messages/byte-range.ts';
import { cursorPosition, eventCursor, idAmongAll, idInQueue } from '../messages/event-format.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import { inPieces, jsonList } from '../messages/json-list.ts';
import { jsonTree } from '../messages/json-tree.ts';
import { jsonContent } from '../messages/operation.ts';
import { json, jsonReply, noContent, OK, TEXT_TYPE, textReply } from '../messages/reply.ts';
import { addedJobs } from './added-jobs.ts';
import { shownEntry, statusOfActions } from './audit-status.ts';
import { claimedJobs } from './claimed-jobs.ts';
import { eventReplies, eventTerms, idBefore } from './event-replies.ts';
import { replayedHeaders } from './idempotency-key.ts';
import { mcpRoute } from './mcp/mcp-route.ts';
import { checkOneQueue, checkQueuesOfErasure, checkQueuesOfFlow } from './named-queues.ts';
import { route, tagged, type Route, type Call } from './route.ts';
import { jobsBody, logBody } from './schemas/body-formats.ts';
import { flowBody } from './schemas/flow-body.ts';
import { SESSION } from './session-cookie.ts';
import { signInRoutes } from './sign-in-routes.ts';

/** Dependencies of the routes, besides the operations. */
export interface RouteSettings {
  readonly repairCodes: Pick<RepairCodes, 'issue' | 'use'>;
  readonly turns: EventLoopTurns;
  readonly queueName: Shape<QueueName>;
  /** The version of the service. */
  readonly version: string;
}

/** How many queues of a list are written in one turn of the event loop. */
const QUEUES_PER_TURN = 100;

/** How many hooks and tokens of a list are written at once: each may have tens of kilobytes. */
const HOOKS_AT_ONCE = 5;
const TOKENS_AT_ONCE = 20;

const SQLITE_TYPE = 'application/vnd.sqlite3';

/** Clients must not find the answers of others in a cache. */
const confidential = { isConfidential: true } as const;

const CREATED = textReply('OK', 201);

/** Names the token of a path as operations do. */
const ofToken = {
  ...confidential,
  placeOf: ({ id = '' }: { readonly id?: string }) => ({ tokenId: id }),
} as const;

/** All routes of the interface for programs: a line says which operation a path stands for. */
export function paths(catalogue: OperationCatalogue, settings: RouteSettings): readonly Route[] {
  const { repairCodes, turns, queueName, version } = settings;
  const { steps, signals } = catalogue;
  const { jobs, jobSearch, jobClaims, attemptReports, jobResults, jobActions } = catalogue;
  const { blockedJobs, bulkRepairs, redrives, erasures, failures, figures, demands } = catalogue;
  const { queues, groups, policies, schedulers, settingSets, flows, events, tickets } = catalogue;
  const { workers, hooks, limits, topics, tokens, sessions, service } = catalogue;

  const adding = {
    isRepeatable: true,
    mayWait: true,
    body: jobsBody,
    given: ({ wait }: { readonly wait: number | undefined }) => ({
      wait: wait === undefined ? undefined : wait * 1000,
    }),
    replies: {
      202: jsonContent(addedJobsAnswer, 'The stored job, which did not end in the preferred time'),
    },
    reply: (added: AddedJobs) => addedJobs(added, turns),
  };
  const inParts = {
    takesRange: true,
    errors: ['range-not-satisfiable'],
    replies: { 206: { ...jsonContent(anyJson, 'The bytes of the `Range`'), schema: {} } },
    reply: (text: Buffer, { range }: Call) => jsonInRange(text, range, turns),
  } as const;

  const routes = [
    ...tagged('Jobs', [
      // These paths look like that of a job, so they come before it: no job has such an id.
      route('GET', '/queues/:queue/jobs/search', jobSearch.searchJobs, {
        reply: (page) => jsonList(page.jobs, (some) => ({ ...page, jobs: some }), turns),
      }),
      route('POST', '/queues/:queue/jobs/claim', jobClaims.claimJobs, {
        reply: (claimed) => claimedJobs(claimed, turns),
      }),
      route('POST', '/queues/:queue/jobs', jobs.addJobs, adding),
      route('GET', '/queues/:queue/jobs', jobs.listJobs, {
        reply: ({ counts, jobs: pieces, start, length }) =>
          jsonList(pieces, (page) => ({ counts, jobs: page, start, length }), turns),
      }),
      route('GET', '/queues/:queue/jobs/:jobId', jobs.readJob, { errorStyle: 'json' }),
      route('GET', '/queues/:queue/jobs/:jobId/data', jobs.readJobData, inParts),
      route('GET', '/queues/:queue/jobs/:jobId/returnvalue', jobs.readReturnValue, inParts),
      route('POST', '/queues/:queue/jobs/:jobId/progress', jobs.updateProgress),
      route('POST', '/queues/:queue/jobs/:jobId/logs', jobs.addLog, { body: logBody }),
      route('GET', '/queues/:queue/jobs/:jobId/logs', jobs.readLogs, {
        reply: ({ count, logs: pieces }) => jsonList(pieces, (logs) => ({ count, logs }), turns),
      }),
      route('GET', '/queues/:queue/jobs/:jobId/attempts', jobs.readAttempts),
      route('POST', '/queues/:queue/jobs/:jobId/callback/resend', jobs.resendCallback),
      // The prose of the specification posts here (rule 2).
      route('POST', '/queues/:queue', jobs.addJobsToQueue, adding),
      route('POST', '/queues/:queue/jobs/:jobId/complete', attemptReports.completeJob, {
        takesCost: true,
      }),
      route('POST', '/queues/:queue/jobs/:jobId/fail', attemptReports.failJob, { takesCost: true }),
      route('POST', '/queues/:queue/jobs/:jobId/extend', attemptReports.extendLock),
      route('POST', '/queues/:queue/jobs/:jobId/release', attemptReports.releaseJob, {
        takesCost: true,
      }),
      route('POST', '/queues/:queue/jobs/:jobId/suspend', steps.suspendJob, { takesCost: true }),
      route('GET', '/queues/:queue/jobs/:jobId/steps', steps.listSteps),
      route('DELETE', '/queues/:queue/jobs/:jobId/steps', steps.removeSteps),
      route('PUT', '/queues/:queue/jobs/:jobId/steps/:step', steps.saveStep, {
        status: 201,
        replies: { 200: jsonContent(anyJson, 'The value that the name had before') },
        reply: (saved) => (saved.kind === 'saved' ? CREATED : jsonReply(saved.value)),
      }),
      route('DELETE', '/queues/:queue/jobs/:jobId/steps/:step', steps.removeStep),
      route('POST', '/queues/:queue/signals/:key', signals.sendSignal, {
        isRepeatable: true,
        reply: ({ woken, isRepeated }) => json({ woken }, 200, replayedHeaders(isRepeated)),
      }),
      route('GET', '/queues/:queue/signals', signals.listSignals),
      route('DELETE', '/queues/:queue/signals/:key', signals.forgetSignal),
      route('GET', '/queues/:queue/jobs/:jobId/result', jobResults.waitForResult, {
        replies: {
          202: jsonContent(unendedJobAnswer, 'The time is up, and the job has not ended'),
        },
        reply: ({ hasEnded, result }) => json(result, hasEnded ? 200 : 202),
      }),
      route('GET', '/queues/:queue/jobs/:jobId/blocked', blockedJobs.readWhyJobIsBlocked),
      route('DELETE', '/queues/:queue/jobs/:jobId', jobActions.removeJob),
      route('POST', '/queues/:queue/jobs/:jobId/promote', jobActions.promoteJob),
      route('POST', '/queues/:queue/jobs/:jobId/retry', jobActions.retryJob),
      route('POST', '/queues/:queue/jobs/:jobId/cancel', jobActions.cancelJob),
      route('PATCH', '/queues/:queue/jobs/:jobId', jobActions.changeJob),
    ]),
    ...tagged('Flows', [
      route('POST', '/flows', flows.addFlow, {
        isRepeatable: true,
        body: flowBody(flowJobShape(queueName)),
        checkQueuesIn: checkQueuesOfFlow,
        reply: async ({ flow, isRepeated }) => {
          // Writing a large one is a turn of its own.
          await turns.next();
          return json(flow, 200, replayedHeaders(isRepeated));
        },
      }),
      route('GET', '/flows/:queue/:jobId', flows.readFlow, {
        reply: (nodes) => jsonTree(nodes, turns),
      }),
      route('GET', '/queues/:queue/jobs/:jobId/children', flows.readChildren, {
        reply: (pieces) => jsonList(pieces, (children) => children, turns),
      }),
    ]),
    ...tagged('Queues', [
      route('GET', '/queues/:queue/failures', failures.readFailures),
      route('GET', '/failures', failures.readRecentFailures),
      route('GET', '/queues/:queue/figures', figures.readQueueFigures),
      route('GET', '/figures', figures.readFigures),
      route('GET', '/queues/:queue/demand', demands.readQueueDemand),
      route('GET', '/demand', demands.readDemand),
      route('POST', '/queues/:queue/retry', bulkRepairs.retryJobs),
      route('POST', '/queues/:queue/promote', bulkRepairs.promoteJobs),
      route('POST', '/queues/:queue/clean', bulkRepairs.cleanJobs),
      route('POST', '/queues/:queue/cancel', bulkRepairs.cancelJobs),
      route('POST', '/queues/:queue/redrive', redrives.redriveJobs),
      route('POST', '/erase', erasures.erase, { checkQueuesIn: checkQueuesOfErasure }),
      route('GET', '/queues', queues.listQueues, {
        reply: ({ queues: listed, ...page }) => {
          const pieces = inPieces<unknown>(listed, QUEUES_PER_TURN);
          return jsonList(pieces, (some) => ({ ...page, queues: some }), turns);
        },
      }),
      route('GET', '/queues/:queue', queues.readQueue),
      route('DELETE', '/queues/:queue', queues.removeQueue),
      route('POST', '/queues/:queue/pause', queues.pauseQueue),
      route('POST', '/queues/:queue/resume', queues.resumeQueue),
      route('POST', '/queues/:queue/hold', queues.holdQueue),
      route('DELETE', '/queues/:queue/hold', queues.endHold),
      route('POST', '/queues/:queue/drain', queues.drainQueue),
      route('GET', '/queues/:queue/deduplication/:deduplicationId', queues.readDeduplication),
      route('DELETE', '/queues/:queue/deduplication/:deduplicationId', queues.endDeduplication),
    ]),
    ...tagged('Groups', [
      route('GET', '/queues/:queue/groups', groups.listGroups),
      route('GET', '/queues/:queue/groups/:group', groups.readGroup),
      route('PUT', '/queues/:queue/groups/:group', groups.saveGroup),
      route('DELETE', '/queues/:queue/groups/:group', groups.removeGroup),
      route('POST', '/queues/:queue/groups/:group/pause', groups.pauseGroup),
      route('POST', '/queues/:queue/groups/:group/resume', groups.resumeGroup),
      route('POST', '/queues/:queue/groups/:group/hold', groups.holdGroup),
      route('DELETE', '/queues/:queue/groups/:group/hold', groups.endHoldOfGroup),
    ]),
    ...tagged('Events', [
      route('GET', '/events', events.followQueues, {
        ...eventTerms(eventCursor),
        given: (call) => {
          const id = idBefore(call);
          const after = id === undefined ? undefined : cursorPosition(id);
          return { after, grant: call.grant ?? {} };
        },
        reply: eventReplies(idAmongAll, turns),
      }),
      route('GET', '/queues/:queue/events', events.followQueue, {
        ...eventTerms(eventId),
        given: (call, { queue }) => {
          const id = idBefore(call);
          return { after: id === undefined ? undefined : { id, queue }, grant: call.grant ?? {} };
        },
        reply: eventReplies(idInQueue, turns),
      }),
      route('POST', '/tickets', tickets.issueTicket),
    ]),
    ...tagged('Queues', [
      route('PUT', '/queues/:queue/policy', policies.savePolicy),
      route('GET', '/queues/:queue/policy', policies.readPolicy),
      route('DELETE', '/queues/:queue/policy', policies.removePolicy),
      route('PUT', '/policy', policies.saveCommonPolicy),
      route('GET', '/policy', policies.readCommonPolicy),
      route('DELETE', '/policy', policies.removeCommonPolicy),
    ]),
    ...tagged('Schedulers', [
      route('PUT', '/queues/:queue/schedulers/:schedulerId', schedulers.saveScheduler),
      route('GET', '/queues/:queue/schedulers/:schedulerId', schedulers.readScheduler),
      route('DELETE', '/queues/:queue/schedulers/:schedulerId', schedulers.removeScheduler),
      route('POST', '/queues/:queue/schedulers/:schedulerId/pause', schedulers.pauseScheduler),
      route('POST', '/queues/:queue/schedulers/:schedulerId/resume', schedulers.resumeScheduler),
      route('POST', '/queues/:queue/schedulers/:schedulerId/run', schedulers.runScheduler),
      route('GET', '/schedulers', schedulers.listAllSchedulers),
      route('GET', '/queues/:queue/schedulers', schedulers.listSchedulers, {
        reply: (pieces) => jsonList(pieces, (page) => page, turns),
      }),
    ]),
    ...tagged('Workers', [
      route('POST', '/workers', workers.registerWorker, {
        checkQueuesIn: checkOneQueue,
        given: (_, { order }) => ({ queue: order.queue }),
      }),
      route('GET', '/workers', workers.listWorkers),
      route('GET', '/workers/:queue', workers.readWorker),
      route('PATCH', '/workers/:queue', workers.changeWorker),
      route('GET', '/workers/:queue/health', workers.readWorkerHealth),
      route('GET', '/workers/:queue/calls', workers.listCalls),
      route('POST', '/workers/:queue/test', workers.testWorker),
      route('POST', '/workers/:queue/disable', workers.disableWorker),
      route('POST', '/workers/:queue/enable', workers.enableWorker),
      route('POST', '/workers/:queue/rotate-secret', workers.rotateSecret),
      route('DELETE', '/workers/:queue', workers.removeWorker),
    ]),
    ...tagged('Hooks', [
      route('PUT', '/hooks/:hook', hooks.saveHook),
      route('GET', '/hooks', hooks.listHooks, {
        reply: (listed) => {
          const { length: total } = listed;
          const pieces = inPieces(listed, HOOKS_AT_ONCE);
          return jsonList(pieces, (some) => ({ total, hooks: some }), turns);
        },
      }),
      route('GET', '/hooks/:hook', hooks.readHook),
      route('DELETE', '/hooks/:hook', hooks.removeHook),
      route('POST', '/hooks/:hook/rotate-secret', hooks.rotateHookSecret),
      route('POST', '/hooks/:hook/test', hooks.testHook),
      route('GET', '/hooks/:hook/deliveries', hooks.listHookDeliveries, {
        reply: ({ deliveries }, _, { hook }) =>
          json({
            deliveries: deliveries.map((delivery) => {
              const { id, createdAt: timestamp } = delivery;
              const webhookId = messageId({ queue: queueOfHook(hook), id, timestamp });
              return { ...delivery, webhookId };
            }),
          }),
      }),
      route('POST', '/hooks/:hook/deliveries/:delivery/resend', hooks.resendHookDelivery),
    ]),
    ...tagged('Limits', [
      route('PUT', '/limits/:limit', limits.saveLimit),
      route('GET', '/limits', limits.listLimits),
      route('GET', '/limits/:limit', limits.readLimit),
      route('GET', '/limits/:limit/queues', limits.listQueuesAtLimit),
      route('DELETE', '/limits/:limit', limits.removeLimit),
    ]),
    ...tagged('Topics', [
      route('POST', '/topics/:topic', topics.publish, {
        isRepeatable: true,
        reply: ({ published, isRepeated }) => json(published, 200, replayedHeaders(isRepeated)),
      }),
      route('GET', '/topics', topics.listTopics),
      route('GET', '/topics/:topic', topics.readTopic, {
        reply: ({ topic, subscriptions: listed }) => {
          const pieces = inPieces(listed, HOOKS_AT_ONCE);
          return jsonList(pieces, (some) => ({ topic, subscriptions: some }), turns);
        },
      }),
      route('DELETE', '/topics/:topic', topics.removeTopic),
      route('PUT', '/topics/:topic/subscriptions/:subscription', topics.saveSubscription, {
        checkQueuesIn: checkOneQueue,
        given: (_, { order }) => ({ queue: order.queue }),
      }),
      route('GET', '/topics/:topic/subscriptions/:subscription', topics.readSubscription),
      route('DELETE', '/topics/:topic/subscriptions/:subscription', topics.removeSubscription),
    ]),
    ...tagged('Settings', [
      route('PATCH', '/setting-sets/:set', settingSets.changeSettingSet),
      route('GET', '/setting-sets/:set', settingSets.readSettingSet),
    ]),
    ...tagged('Workers', [route('POST', '/secrets/rewrap', service.rewrapSecrets)]),
    ...tagged('Access', [
      route('GET', '/whoami', service.readOwnAccess, confidential),
      route('POST', '/tokens', tokens.createToken, {
        ...confidential,
        status: 201,
        reply: (created) => json(created, 201),
      }),
      route('GET', '/tokens', tokens.listTokens, {
        ...confidential,
        reply: ({ total, tokens: listed }) => {
          const pieces = inPieces(listed, TOKENS_AT_ONCE);
          return jsonList(pieces, (some) => ({ total, tokens: some }), turns);
        },
      }),
      route('GET', '/tokens/:id', tokens.readToken, ofToken),
      route('PATCH', '/tokens/:id', tokens.changeToken, ofToken),
      route('POST', '/tokens/:id/rotate', tokens.rotateToken, ofToken),
      route('DELETE', '/tokens/:id', tokens.removeToken, ofToken),
      route('POST', '/sessions', sessions.createSession, {
        ...confidential,
        given: ({ token }) => ({ sha256: digestOf(token) }),
        reply: (text, { peer }) =>
          noContent({ 'Set-Cookie': SESSION.header(text, peer.isSecure()) }),
      }),
      route('GET', '/sessions', sessions.listSessions, confidential),
      route('DELETE', '/sessions', sessions.endSession, {
        ...confidential,
        reply: (_, { peer }) => ({
          ...OK,
          headers: { 'Set-Cookie': SESSION.ended(peer.isSecure()) },
        }),
      }),
      route('DELETE', '/sessions/:id', sessions.endOtherSession, confidential),
      ...signInRoutes(catalogue.signIn),
      route('GET', '/audit', service.readAudit, {
        reply: ({ entries, cursor }) =>
          json({ entries: entries.map((entry) => shownEntry(entry, statusOfAction)), cursor }),
      }),
    ]),
    ...tagged('Health', [
      route('GET', '/system', service.readSystem),
      route('POST', '/store/backup', service.backUpStore, {
        ...confidential,
        content: { contentType: SQLITE_TYPE, schema: { type: 'string', format: 'binary' } },
        reply: ({ size, pieces }) => ({
          status: 200,
          contentType: SQLITE_TYPE,
          headers: { 'Content-Length': String(size) },
          openPieces: pieces,
        }),
      }),
      ...probes(service),
    ]),
    ...tagged('Metrics', [
      route('GET', '/metrics', service.readMetrics, {
        // A monitoring system may add parameters of its own.
        query: 'ignored',
        content: { contentType: TEXT_TYPE, schema: { type: 'string' } },
        reply: ({ contentType, text }) => ({ status: 200, contentType, body: text }),
      }),
    ]),
    ...tagged('Assistants', [mcpRoute(catalogue, repairCodes, queueName, turns, version)]),
  ];
  const statusOfAction = statusOfActions(routes);
  return routes;
}

/** Probes: they need no token, and ignore any query parameters. */
export function probes(service: OperationCatalogue['service']) {
  return [
    route('GET', '/health/live', service.readLiveness, { query: 'ignored' }),
    route('GET', '/health/ready', service.readReadiness, {
      query: 'ignored',
      replies: { 503: jsonContent(readinessShape, 'It does not, for the reason in the answer') },
      reply: (readiness) => {
        if (readiness.ready) return json({ status: 'ready' });
        const { reason } = readiness;
        return json({ status: 'unavailable', reason }, 503, { 'Retry-After': '1' });
      },
    }),
  ];
}

import type { ServiceIdentifier } from 'inversify';
import type { RequestListener } from 'node:http';
import type { ExchangeObserver } from '../../adapters/inbound/http/api/exchange-observer.ts';
import type { Peers } from '../../adapters/inbound/http/messages/peers.ts';
import type { HttpServer } from '../../adapters/inbound/http/server/http-server.ts';
import type { Application } from '../../application/application.ts';
import type { OperationCatalogue } from '../../application/operation-catalogue.ts';
import type { Operations } from '../../application/operations/operations.ts';
import type { AttemptReports } from '../../application/attempts/attempt-reports.ts';
import type { JobClaims } from '../../application/pulls/job-claims.ts';
import type { AccessTokensOfFile } from '../access-tokens-of-file.ts';
import type { Audit } from '../../application/audit/audit.ts';
import type { AuditStorePort } from '../../application/ports/audit-store-port.ts';
import type { AccessTokens } from '../../application/access/access-tokens.ts';
import type { ConfiguredTokens } from '../../application/access/configured-tokens.ts';
import type { IssuedTokens } from '../../application/access/issued-tokens.ts';
import type { RequestLimits } from '../../application/access/request-limits.ts';
import type { WorkloadTokens } from '../../application/access/workload-tokens.ts';
import type { Sessions } from '../../application/access/sessions.ts';
import type { AccessSecretPort } from '../../application/ports/access-secret-port.ts';
import type { AccessTokenStorePort } from '../../application/ports/access-token-store-port.ts';
import type { NativeTurnPort } from '../../application/ports/native-turn-port.ts';
import type { NetworkPort } from '../../application/ports/network-port.ts';
import type { EventDigests } from '../../application/digests/event-digests.ts';
import type { Events } from '../../application/events/events.ts';
import type { RepairCodes } from '../../application/jobs/repair-codes.ts';
import type { TicketGrant } from '../../domain/events/event-ticket.ts';
import type { Tickets } from '../../application/events/tickets.ts';
import type { Flows } from '../../application/flows/flows.ts';
import type { Health } from '../../application/health/health.ts';
import type { CallRecorder } from '../../application/calls/call-recorder.ts';
import type { JobActions } from '../../application/jobs/job-actions.ts';
import type { AwaitedAdds } from '../../application/jobs/awaited-adds.ts';
import type { LetterOrigins } from '../../application/jobs/letter-origins.ts';
import type { Redrives } from '../../application/jobs/redrives.ts';
import type { BulkRepairs } from '../../application/jobs/bulk-repairs.ts';
import type { ErasureListener, ForgetsReasons } from '../../application/jobs/erasure-listener.ts';
import type { Erasures } from '../../application/jobs/erasures.ts';
import type { Failures } from '../../application/jobs/failures.ts';
import type { JobResults } from '../../application/jobs/job-results.ts';
import type { JobWaits } from '../../application/jobs/job-waits.ts';
import type { GroupListing } from '../../application/jobs/group-listing.ts';
import type { JobSearch } from '../../application/jobs/job-search.ts';
import type { Jobs } from '../../application/jobs/jobs.ts';
import type { EndedJobsSweep } from '../../application/jobs/ended-jobs-sweep.ts';
import type { PayloadSweep } from '../../application/jobs/payload-sweep.ts';
import type { ExpirySweep } from '../../application/maintenance/expiry-sweep.ts';
import type { NativeTurns } from '../../application/groups/native-turns.ts';
import type { OverdueSweep } from '../../application/maintenance/overdue-sweep.ts';
import type { StalledSweep } from '../../application/maintenance/stalled-sweep.ts';
import type { VisibleMessages } from '../../application/maintenance/visible-messages.ts';
import type { MessageMover } from '../../application/messages/message-mover.ts';
import type { MessageMoves } from '../../application/messages/message-moves.ts';
import type { MessageQueues } from '../../application/messages/message-queues.ts';
import type { MessageReceives } from '../../application/messages/message-receives.ts';
import type { MessageSends } from '../../application/messages/message-sends.ts';
import type { Receives } from '../../application/messages/receives.ts';
import type { RetentionSweep } from '../../application/messages/retention-sweep.ts';
import type { MessageIdPort } from '../../application/ports/message-id-port.ts';
import type { AttemptObserver } from '../../application/ports/attempt-observer.ts';
import type { AttemptEnginePort } from '../../application/ports/attempt-engine-port.ts';
import type { AttemptHolderPort } from '../../application/ports/attempt-holder-port.ts';
import type { AttemptSweepPort } from '../../application/ports/attempt-sweep-port.ts';
import type { QueueStandingPort } from '../../application/ports/queue-standing-port.ts';
import type { BlockedJobs } from '../../application/jobs/blocked-jobs.ts';
import type { BlockedQueues } from '../../application/queues/blocked-queues.ts';
import type { Groups } from '../../application/groups/groups.ts';
import type { GroupStorePort } from '../../application/ports/group-store-port.ts';
import type { BreakerPort } from '../../application/ports/breaker-port.ts';
import type { FiguresPort } from '../../application/ports/figures-port.ts';
import type { CallFiguresPort } from '../../application/ports/call-figures-port.ts';
import type { ClockPort } from '../../application/ports/clock-port.ts';
import type { ScopedPolicy } from '../../application/callbacks/callback-sealing.ts';
import type { Callbacks } from '../../application/callbacks/callbacks.ts';
import type { JobCallbacks } from '../../application/deliveries/job-callbacks.ts';
import type { Callback } from '../../domain/jobs/callback.ts';
import type { DeliveryFleet } from '../../application/deliveries/delivery-fleet.ts';
import type { DeliveryQueues } from '../../application/deliveries/delivery-queues.ts';
import type { DeliveryObserver } from '../../application/ports/delivery-observer.ts';
import type { EventObserver } from '../../application/ports/event-observer.ts';
import type { EventPort } from '../../application/ports/event-port.ts';
import type { DemandPort } from '../../application/ports/demand-port.ts';
import type { EndedRemovalPort } from '../../application/ports/ended-removal-port.ts';
import type { ErasurePort } from '../../application/ports/erasure-port.ts';
import type { RedactionPort } from '../../application/ports/redaction-port.ts';
import type { ExpiryPort } from '../../application/ports/expiry-port.ts';
import type { ConditionLook } from '../../application/hooks/condition-look.ts';
import type { HooksOfEndings } from '../../application/hooks/hooks-of-endings.ts';
import type { HookStatePort } from '../../application/ports/hook-state-port.ts';
import type { HookStorePort } from '../../application/ports/hook-store-port.ts';
import type { FlowPort } from '../../application/ports/flow-port.ts';
import type { JobControlPort } from '../../application/ports/job-control-port.ts';
import type { JobEndingsPort } from '../../application/ports/job-endings-port.ts';
import type { JobPartPort } from '../../application/ports/job-part-port.ts';
import type { JobScanPort } from '../../application/ports/job-scan-port.ts';
import type { MetricsPort } from '../../application/ports/metrics-port.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { SettingSets } from '../../application/policies/setting-sets.ts';
import type { Policies } from '../../application/policies/policies.ts';
import type { CalendarPort } from '../../application/ports/calendar-port.ts';
import type { SchedulerPort } from '../../application/ports/scheduler-port.ts';
import type { SchedulerRates } from '../../application/schedulers/scheduler-rates.ts';
import type { Schedulers } from '../../application/schedulers/schedulers.ts';
import type { PolicyStorePort } from '../../application/ports/policy-store-port.ts';
import type { ReplicaSignalsPort } from '../../application/ports/replica-signals-port.ts';
import type { QueueControlPort } from '../../application/ports/queue-control-port.ts';
import type { QueueDirectoryPort } from '../../application/ports/queue-directory-port.ts';
import type { QueuePort } from '../../application/ports/queue-port.ts';
import type { Startable } from '../../application/running/startable.ts';
import type { StoreBackupPort } from '../../application/ports/store-backup-port.ts';
import type { SystemPort } from '../../application/ports/system-port.ts';
import type { DataWatch } from '../../application/system/data-watch.ts';
import type { ReplicaReports } from '../../application/system/replica-reports.ts';
import type { StoreBackups } from '../../application/system/store-backups.ts';
import type { System } from '../../application/system/system.ts';
import type { StoreHealthPort } from '../../application/ports/store-health-port.ts';
import type { TracingPort } from '../../application/ports/tracing-port.ts';
import type { QuotaPort } from '../../application/ports/quota-port.ts';
import type { SettingSetPort } from '../../application/ports/setting-set-port.ts';
import type { SessionStorePort } from '../../application/ports/session-store-port.ts';
import type { OneTimeStorePort } from '../../application/ports/one-time-store-port.ts';
import type { SecretPort } from '../../application/ports/secret-port.ts';
import type { TokenPort } from '../../application/ports/token-port.ts';
import type { CallDescriberPort } from '../../application/ports/call-describer-port.ts';
import type { WebhookPort } from '../../application/ports/webhook-port.ts';
import type { WorkerStorePort } from '../../application/ports/worker-store-port.ts';
import type { BacklogSampler } from '../../application/figures/backlog-sampler.ts';
import type { FigureRecorder } from '../../application/figures/figure-recorder.ts';
import type { Figures } from '../../application/figures/figures.ts';
import type { RecentFailures } from '../../application/figures/recent-failures.ts';
import type { DemandView } from '../../application/queues/demand-view.ts';
import type { FiguredQueues } from '../../application/queues/figured-queues.ts';
import type { QueueDemands } from '../../application/queues/queue-demands.ts';
import type { ScalingDemands } from '../../application/queues/scaling-demands.ts';
import type { QueueNames } from '../../application/queues/queue-names.ts';
import type { QueueView } from '../../application/queues/queue-view.ts';
import type { RecentQueueFigures } from '../../application/queues/recent-queue-figures.ts';
import type { Queues } from '../../application/queues/queues.ts';
import type { Fleet } from '../../application/workers/fleet.ts';
import type { KnownWorkers } from '../../application/workers/known-workers.ts';
import type { WorkerCalls } from '../../application/workers/worker-calls.ts';
import type { WorkerTest } from '../../application/workers/worker-test.ts';
import type { WorkerHealthReader } from '../../application/workers/worker-health-reader.ts';
import type { EncryptionKeys } from '../../application/secrets/encryption-keys.ts';
import type { KeyCheckStorePort } from '../../application/ports/key-check-store-port.ts';
import type { SecretCipherPort } from '../../application/ports/secret-cipher-port.ts';
import type { KeptSecrets } from '../../application/secrets/kept-secrets.ts';
import type { Sealing } from '../../application/secrets/sealing.ts';
import type { Secrets } from '../../application/secrets/secrets.ts';
import type { Hook } from '../../domain/hooks/hook.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { Hooks } from '../../application/hooks/hooks.ts';
import type { HookTest } from '../../application/hooks/hook-test.ts';
import type { StoredHooksInForce } from '../../application/hooks/hooks-in-force.ts';
import type { Workers } from '../../application/workers/workers.ts';
import type { Supervisor } from '../lifecycle/supervisor.ts';

/** Creates a token. Tokens that only one module uses are created in that module. */
export function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}

/** The parts that modules share. A factory that uses the wrong one does not compile. */
export const tokens = {
  clockPort: token<ClockPort>('clock port'),
  loggerPort: token<LoggerPort>('logger port'),

  queuePort: token<QueuePort>('queue port'),
  /** For what moves jobs from one queue to another, which a full memory does not keep from adding them. */
  movingQueuePort: token<QueuePort>('queue port of moves'),
  queueControlPort: token<QueueControlPort>('queue control port'),
  queueDirectoryPort: token<QueueDirectoryPort>('queue directory port'),
  attemptEnginePort: token<AttemptEnginePort>('attempt engine port'),
  attemptHolderPort: token<AttemptHolderPort>('attempt holder port'),
  attemptSweepPort: token<AttemptSweepPort>('attempt sweep port'),
  flowPort: token<FlowPort>('flow port'),
  jobControlPort: token<JobControlPort>('job control port'),
  jobEndingsPort: token<JobEndingsPort>('job endings port'),
  jobScanPort: token<JobScanPort>('job scan port'),
  jobPartPort: token<JobPartPort>('job part port'),
  eventObserver: token<EventObserver>('event observer'),
  deliveryObserver: token<DeliveryObserver>('delivery observer'),
  conditionLook: token<ConditionLook>('condition look'),
  deliveryQueues: token<DeliveryQueues>('delivery queues'),
  deliveryFleet: token<DeliveryFleet>('delivery fleet'),
  eventPort: token<EventPort>('event port'),
  ticketStore: token<OneTimeStorePort<TicketGrant>>('ticket store'),
  repairCodeStore: token<OneTimeStorePort<true>>('repair code store'),
  endedRemovalPort: token<EndedRemovalPort>('ended removal port'),
  redactionPort: token<RedactionPort>('redaction port'),
  erasurePort: token<ErasurePort>('erasure port'),
  expiryPort: token<ExpiryPort>('expiry port'),
  breakerPort: token<BreakerPort>('breaker port'),
  groups: token<Groups>('groups'),
  groupStorePort: token<GroupStorePort>('group store port'),
  nativeTurnPort: token<NativeTurnPort>('native turn port'),
  queueStandingPort: token<QueueStandingPort>('queue standing port'),
  demandPort: token<DemandPort>('demand port'),
  blockedQueues: token<BlockedQueues>('blocked queues'),
  callFiguresPort: token<CallFiguresPort>('call figures port'),
  figuresPort: token<FiguresPort>('figures port'),
  workerStorePort: token<WorkerStorePort>('worker store port'),
  /** The workers, with their secrets as the store keeps them. */
  keptWorkers: token<WorkerStorePort>('kept workers'),
  /** The hooks that stores ask for as jobs end. */
  hooksOfQueues: token<HooksOfEndings>('hooks of queues'),
  /** The hooks, with their secrets as the store keeps them. */
  keptHooks: token<HookStorePort>('kept hooks'),
  hookStorePort: token<HookStorePort>('hook store port'),
  hookStatePort: token<HookStatePort>('hook state port'),
  hooksInForce: token<StoredHooksInForce>('hooks in force'),
  secretCipherPort: token<SecretCipherPort>('secret cipher port'),
  keyCheckStorePort: token<KeyCheckStorePort>('key check store port'),
  encryptionKeys: token<EncryptionKeys>('encryption keys'),
  knownWorkers: token<KnownWorkers>('known workers'),
  workerSealing: token<Sealing<Worker>>('worker sealing'),
  hookSealing: token<Sealing<Hook>>('hook sealing'),
  keptSecrets: token<readonly KeptSecrets[]>('kept secrets'),
  secrets: token<Secrets>('secrets'),
  calendarPort: token<CalendarPort>('calendar port'),
  schedulerPort: token<SchedulerPort>('scheduler port'),
  schedulers: token<Schedulers>('schedulers'),
  schedulerRates: token<SchedulerRates>('scheduler rates'),
  auditStorePort: token<AuditStorePort>('audit store port'),
  accessTokenStorePort: token<AccessTokenStorePort>('access token store port'),
  quotaPort: token<QuotaPort>('quota port'),
  settingSetPort: token<SettingSetPort>('setting set port'),
  sessionStorePort: token<SessionStorePort>('session store port'),
  accessSecretPort: token<AccessSecretPort>('access secret port'),
  networkPort: token<NetworkPort>('network port'),
  /** The policies, with their secrets as the store keeps them. */
  keptPolicies: token<PolicyStorePort>('kept policies'),
  policyStorePort: token<PolicyStorePort>('policy store port'),
  policySealing: token<Sealing<ScopedPolicy>>('policy sealing'),
  callbackSealing: token<Sealing<Callback>>('callback sealing'),
  callbacks: token<Callbacks>('callbacks'),
  jobCallbacks: token<JobCallbacks>('job callbacks'),
  replicaSignalsPort: token<ReplicaSignalsPort>('replica signals port'),
  systemPort: token<SystemPort>('system port'),
  /** Undefined for a store that is no file. */
  storeBackupPort: token<StoreBackupPort | undefined>('store backup port'),
  storeHealthPort: token<StoreHealthPort>('store health port'),
  /** The parts that must start before all others for the store to work. */
  store: token<Startable>('store'),
  /** What must be taken before the service listens, while the store is read; undefined for a store that is not read. */
  storeFolder: token<Startable | undefined>('folder of the store'),

  tokenPort: token<TokenPort>('token port'),
  secretPort: token<SecretPort>('secret port'),
  callRecorder: token<CallRecorder>('call recorder'),
  figureRecorder: token<FigureRecorder>('figure recorder'),
  backlogSampler: token<BacklogSampler>('backlog sampler'),
  attemptObserver: token<AttemptObserver>('attempt observer'),
  stalledSweep: token<StalledSweep>('stalled sweep'),
  overdueSweep: token<OverdueSweep>('overdue sweep'),
  visibleMessages: token<VisibleMessages>('visible messages'),
  endedJobsSweep: token<EndedJobsSweep>('sweep of ended jobs'),
  payloadSweep: token<PayloadSweep>('sweep of payloads'),
  expirySweep: token<ExpirySweep>('expiry sweep'),
  nativeTurns: token<NativeTurns>('turns of native workers'),

  webhookPort: token<WebhookPort>('webhook port'),
  callDescriberPort: token<CallDescriberPort>('call describer port'),
  webhookConnections: token<Startable>('webhook connections'),

  jobs: token<Jobs>('jobs'),
  attemptReports: token<AttemptReports>('attempt reports'),
  jobClaims: token<JobClaims>('job claims'),
  receives: token<Receives>('receives'),
  messageIdPort: token<MessageIdPort>('message id port'),
  messageQueues: token<MessageQueues>('queues of messages'),
  messageSends: token<MessageSends>('sends of messages'),
  messageReceives: token<MessageReceives>('receives of messages'),
  messageMoves: token<MessageMoves>('moves of messages'),
  messageMover: token<MessageMover>('mover of messages'),
  retentionSweep: token<RetentionSweep>('retention sweep'),
  flows: token<Flows>('flows'),
  jobActions: token<JobActions>('job actions'),
  awaitedAdds: token<AwaitedAdds>('awaited adds'),
  jobWaits: token<JobWaits>('job waits'),
  blockedJobs: token<BlockedJobs>('blocked jobs'),
  jobResults: token<JobResults>('job results'),
  jobSearch: token<JobSearch>('job search'),
  groupListing: token<GroupListing>('listing of groups'),
  bulkRepairs: token<BulkRepairs>('bulk repairs'),
  redrives: token<Redrives>('redrives'),
  letterOrigins: token<LetterOrigins>('letter origins'),
  erasures: token<Erasures>('erasures'),
  erasureListener: token<ErasureListener>('listener for erasures'),
  recordedReasons: token<ForgetsReasons>('recorded reasons'),
  failures: token<Failures>('failures'),
  recentFailures: token<RecentFailures>('recent failures'),
  figures: token<Figures>('figures'),
  queueNames: token<QueueNames>('queue names'),
  queueView: token<QueueView>('queue view'),
  recentQueueFigures: token<RecentQueueFigures>('recent queue figures'),
  figuredQueues: token<FiguredQueues>('figured queues'),
  queueDemands: token<QueueDemands>('queue demands'),
  demandView: token<DemandView>('demand view'),
  scalingDemands: token<ScalingDemands>('scaling demands'),
  queues: token<Queues>('queues'),
  events: token<Events>('events'),
  audit: token<Audit>('audit'),
  accessTokens: token<AccessTokens>('access tokens'),
  requestLimits: token<RequestLimits>('request limits'),
  workloadTokens: token<WorkloadTokens | undefined>('workload tokens'),
  sessions: token<Sessions>('sessions'),
  configuredTokens: token<ConfiguredTokens>('configured tokens'),
  tokensOfFile: token<AccessTokensOfFile | undefined>('tokens of the file'),
  issuedTokens: token<IssuedTokens>('issued tokens'),
  digests: token<EventDigests>('digests'),
  tickets: token<Tickets>('tickets'),
  repairCodes: token<RepairCodes>('repair codes'),
  workers: token<Workers>('workers'),
  workerHealth: token<WorkerHealthReader>('worker health'),
  workerCalls: token<WorkerCalls>('worker calls'),
  workerTest: token<WorkerTest>('worker test'),
  hooks: token<Hooks>('hooks'),
  hookTest: token<HookTest>('hook test'),
  settingSets: token<SettingSets>('setting sets'),
  policies: token<Policies>('policies'),
  health: token<Health>('health'),
  system: token<System>('system'),
  storeBackups: token<StoreBackups>('store backups'),
  replicaReports: token<ReplicaReports>('replica reports'),
  dataWatch: token<DataWatch>('data watch'),
  fleet: token<Fleet>('fleet'),
  application: token<Application>('application'),
  operationCatalogue: token<OperationCatalogue>('operation catalogue'),
  operations: token<Operations>('operations'),

  /** Only bound when traces are exported. */
  tracing: token<(TracingPort & Startable) | undefined>('tracing'),

  metricsPort: token<MetricsPort>('metrics port'),
  exchangeObserver: token<ExchangeObserver>('exchange observer'),
  /** Only bound when METRICS_PORT is set. */
  metricsServer: token<HttpServer | undefined>('metrics server'),

  httpApp: token<RequestListener>('http app'),
  /** Serves programs that speak Amazon SQS, or refuses them. */
  sqsListener: token<RequestListener>('sqs listener'),
  peers: token<Peers>('peers'),
  httpServer: token<HttpServer>('http server'),
  supervisor: token<Supervisor>('supervisor'),
} as const;

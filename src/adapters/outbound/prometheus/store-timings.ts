import type { AuditStorePort } from '../../../application/ports/audit-store-port.ts';
import type { AccessTokenStorePort } from '../../../application/ports/access-token-store-port.ts';
import type { AttemptEnginePort } from '../../../application/ports/attempt-engine-port.ts';
import type { AttemptHolderPort } from '../../../application/ports/attempt-holder-port.ts';
import type { AttemptSweepPort } from '../../../application/ports/attempt-sweep-port.ts';
import type { GroupStorePort } from '../../../application/ports/group-store-port.ts';
import type { BreakerPort } from '../../../application/ports/breaker-port.ts';
import type { CallFiguresPort } from '../../../application/ports/call-figures-port.ts';
import type { EndedRemovalPort } from '../../../application/ports/ended-removal-port.ts';
import type { ErasurePort } from '../../../application/ports/erasure-port.ts';
import type { EventPort } from '../../../application/ports/event-port.ts';
import type { ExpiryPort } from '../../../application/ports/expiry-port.ts';
import type { FiguresPort } from '../../../application/ports/figures-port.ts';
import type { FlowPort } from '../../../application/ports/flow-port.ts';
import type { JobControlPort } from '../../../application/ports/job-control-port.ts';
import type { JobEndingsPort } from '../../../application/ports/job-endings-port.ts';
import type { JobPartPort } from '../../../application/ports/job-part-port.ts';
import type { JobScanPort } from '../../../application/ports/job-scan-port.ts';
import type { NativeTurnPort } from '../../../application/ports/native-turn-port.ts';
import type { PolicyStorePort } from '../../../application/ports/policy-store-port.ts';
import type { QueueControlPort } from '../../../application/ports/queue-control-port.ts';
import type { QueueDirectoryPort } from '../../../application/ports/queue-directory-port.ts';
import type { QueuePort } from '../../../application/ports/queue-port.ts';
import type { QueueStandingPort } from '../../../application/ports/queue-standing-port.ts';
import type { RedactionPort } from '../../../application/ports/redaction-port.ts';
import type { SchedulerPort } from '../../../application/ports/scheduler-port.ts';
import type { SystemPort } from '../../../application/ports/system-port.ts';
import type { StoreHealthPort } from '../../../application/ports/store-health-port.ts';
import type { QuotaPort } from '../../../application/ports/quota-port.ts';
import type { SettingSetPort } from '../../../application/ports/setting-set-port.ts';
import type { SessionStorePort } from '../../../application/ports/session-store-port.ts';
import type { OneTimeStorePort } from '../../../application/ports/one-time-store-port.ts';
import type { WorkerStorePort } from '../../../application/ports/worker-store-port.ts';
import type { Timings } from './timed.ts';

// Lists in pieces are not timed: how long they take depends on the reader.

export const QUEUES: Timings<QueuePort> = {
  add: true,
  addOnce: true,
  recall: true,
  list: true,
  summary: true,
  find: true,
  findEach: false,
  attempts: true,
  logs: true,
};

/** Draining and removing a queue are not timed: how long they take depends on its jobs. */
export const QUEUE_CONTROL: Timings<QueueControlPort> = {
  pause: true,
  resume: true,
  hold: true,
  endHold: true,
  drain: false,
  remove: false,
  deduplication: true,
  endDeduplication: true,
};

export const JOB_PARTS: Timings<JobPartPort> = { list: true, summaries: false, value: true };

/** A discovery is not timed: it searches the whole store. */
export const QUEUE_DIRECTORY: Timings<QueueDirectoryPort> = {
  names: true,
  glances: true,
  discover: false,
};

export const QUEUE_STANDINGS: Timings<QueueStandingPort> = {
  standings: true,
  stuckParents: true,
  failedChildren: true,
  awaitedJob: true,
  noteClaim: true,
};

/** A wait for jobs is not timed: it lasts until there are some. */
export const ATTEMPT_ENGINE: Timings<AttemptEnginePort> = {
  claim: true,
  claimBatch: true,
  noteCall: true,
  forgetCall: true,
  settle: true,
  release: true,
  renew: true,
  endCall: true,
  waitForJobs: false,
};

export const ATTEMPT_HOLDERS: Timings<AttemptHolderPort> = {
  holds: true,
  heldJob: true,
  callOf: true,
  wasReported: true,
  extend: true,
  accept: true,
  reportEnding: true,
  reportRelease: true,
  reportProgress: true,
  addLog: true,
};

export const ATTEMPT_SWEEPS: Timings<AttemptSweepPort> = {
  recoverStalled: true,
  pulledQueues: true,
  overdue: true,
};

export const FLOWS: Timings<FlowPort> = {
  add: true,
  recall: true,
  children: false,
  node: true,
  childNodes: false,
  childAddresses: true,
};

/** Removing a job and bringing jobs together are not timed: how long they take depends on the number of jobs. */
export const JOB_CONTROL: Timings<JobControlPort> = {
  bringTogether: false,
  remove: false,
  removeAlone: true,
  removeActive: true,
  promote: true,
  retry: true,
  cancel: true,
  change: true,
};

export const JOB_ENDINGS: Timings<JobEndingsPort> = { subscribe: true };

export const JOB_SCAN: Timings<JobScanPort> = { scan: true, oldest: true, look: false };

export const EVENTS: Timings<EventPort> = {
  subscribe: true,
  read: true,
  subscribeToAll: true,
  readAll: true,
};

export const ONE_TIME: Timings<OneTimeStorePort<unknown>> = { save: true, take: true };

export const QUOTAS: Timings<QuotaPort> = { lease: true };

export const SESSIONS: Timings<SessionStorePort> = {
  create: true,
  find: true,
  findOf: true,
  replace: true,
  ofHolder: true,
  remove: true,
};

export const SETTING_SETS: Timings<SettingSetPort> = { change: true, list: true };

export const ENDED_REMOVAL: Timings<EndedRemovalPort> = { claimSweep: true, removeBeyond: true };

export const REDACTION: Timings<RedactionPort> = { claimSweep: true, redactBeyond: true };

/** How long erasing takes depends on what the queue has. */
export const ERASURE: Timings<ErasurePort> = {
  redact: true,
  forgetEvents: false,
  forgetAdds: false,
  forgetGroups: false,
  scrub: false,
};

export const EXPIRY: Timings<ExpiryPort> = { expireDue: true };

export const NATIVE_TURNS: Timings<NativeTurnPort> = { queues: true, stage: true };

export const BREAKERS: Timings<BreakerPort> = { find: true, close: true };

export const GROUPS: Timings<GroupStorePort> = {
  list: false,
  find: true,
  saveSettings: true,
  removeSettings: true,
  pause: true,
  resume: true,
  hold: true,
  endHold: true,
};

export const CALL_FIGURES: Timings<CallFiguresPort> = {
  save: true,
  forget: false,
  readEach: true,
};

/** Recording backlogs and reading many queues are not timed: how long they take depends on the number of queues. */
export const FIGURES: Timings<FiguresPort> = {
  save: true,
  saveTotal: true,
  claimSample: true,
  saveSample: false,
  read: true,
  recent: false,
  countedSince: true,
  failedSince: true,
  calls: true,
  failures: false,
  forget: false,
};

export const WORKERS: Timings<WorkerStorePort> = {
  save: true,
  change: true,
  remove: true,
  find: true,
  queues: true,
  findEach: true,
};

export const AUDIT: Timings<AuditStorePort> = {
  save: true,
  remove: true,
  latest: true,
};

export const ACCESS_TOKENS: Timings<AccessTokenStorePort> = {
  create: true,
  replace: true,
  remove: true,
  changedSince: true,
  recordUses: true,
  uses: true,
};

export const POLICIES: Timings<PolicyStorePort> = {
  save: true,
  remove: true,
  find: true,
  all: true,
};

export const SCHEDULERS: Timings<SchedulerPort> = {
  save: true,
  find: true,
  list: false,
  slots: false,
  pause: true,
  resume: true,
  noteRunByHand: true,
  remove: true,
};

/** Looking at the metadata of queues is not timed: how long it takes depends on the number of queues. */
export const SYSTEM: Timings<SystemPort> = {
  store: true,
  report: true,
  replicas: true,
  nativeVersions: false,
  dataId: true,
};

export const STORE_HEALTH: Timings<StoreHealthPort> = { check: true, memory: true };

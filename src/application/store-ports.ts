import {
  ACCESS_TOKEN_NATURES,
  type AccessTokenStorePort,
} from './ports/access-token-store-port.ts';
import { AUDIT_NATURES, type AuditStorePort } from './ports/audit-store-port.ts';
import { BREAKER_NATURES, type BreakerPort } from './ports/breaker-port.ts';
import { CALL_FIGURES_NATURES, type CallFiguresPort } from './ports/call-figures-port.ts';
import { COLLECTION_NATURES, type CollectionPorts } from './kept/collections.ts';
import { DEMAND_NATURES, type DemandPort } from './ports/demand-port.ts';
import { ENDED_REMOVAL_NATURES, type EndedRemovalPort } from './ports/ended-removal-port.ts';
import { ERASURE_NATURES, type ErasurePort } from './ports/erasure-port.ts';
import { EVENT_NATURES, type EventPort } from './ports/event-port.ts';
import { EXPIRY_NATURES, type ExpiryPort } from './ports/expiry-port.ts';
import { FIGURES_NATURES, type FiguresPort } from './ports/figures-port.ts';
import { FLOW_NATURES, type FlowPort } from './ports/flow-port.ts';
import { GROUP_NATURES, type GroupStorePort } from './ports/group-store-port.ts';
import { JOB_CONTROL_NATURES, type JobControlPort } from './ports/job-control-port.ts';
import { JOB_ENDINGS_NATURES, type JobEndingsPort } from './ports/job-endings-port.ts';
import { JOB_PART_NATURES, type JobPartPort } from './ports/job-part-port.ts';
import { JOB_SCAN_NATURES, type JobScanPort } from './ports/job-scan-port.ts';
import { NATIVE_TURN_NATURES, type NativeTurnPort } from './ports/native-turn-port.ts';
import { QUEUE_CONTROL_NATURES, type QueueControlPort } from './ports/queue-control-port.ts';
import { QUEUE_DIRECTORY_NATURES, type QueueDirectoryPort } from './ports/queue-directory-port.ts';
import { QUEUE_NATURES, type QueuePort } from './ports/queue-port.ts';
import { QUEUE_STANDING_NATURES, type QueueStandingPort } from './ports/queue-standing-port.ts';
import { QUOTA_NATURES, type QuotaPort } from './ports/quota-port.ts';
import { REDACTION_NATURES, type RedactionPort } from './ports/redaction-port.ts';
import { SCHEDULER_NATURES, type SchedulerPort } from './ports/scheduler-port.ts';
import { SESSION_NATURES, type SessionStorePort } from './ports/session-store-port.ts';
import { SHARED_WORK_NATURES, type SharedWorkPort } from './ports/shared-work-port.ts';
import { SETTING_SET_NATURES, type SettingSetPort } from './ports/setting-set-port.ts';
import { SYSTEM_NATURES, type SystemPort } from './ports/system-port.ts';
import { ATTEMPT_ENGINE_NATURES, type AttemptEnginePort } from './ports/attempt-engine-port.ts';
import { ATTEMPT_HOLDER_NATURES, type AttemptHolderPort } from './ports/attempt-holder-port.ts';
import { ATTEMPT_SWEEP_NATURES, type AttemptSweepPort } from './ports/attempt-sweep-port.ts';
import { ONE_TIME_NATURES, type OneTimeStorePort } from './ports/one-time-store-port.ts';
import { JOB_SIGNAL_NATURES, type JobSignalPort } from './ports/job-signal-port.ts';
import { STEP_NATURES, type StepPort } from './ports/step-port.ts';
import type { Natures } from './ports/nature.ts';

/** What holds, starts and ends attempts: one thing in a store, three in what users of it need. */
export type AttemptPorts = AttemptEnginePort & AttemptHolderPort & AttemptSweepPort;

/** The ports that every store has. */
export interface StorePorts extends CollectionPorts {
  readonly queues: QueuePort;
  readonly queueControl: QueueControlPort;
  readonly queueDirectory: QueueDirectoryPort;
  readonly queueStandings: QueueStandingPort;
  readonly demand: DemandPort;
  readonly flows: FlowPort;
  readonly groups: GroupStorePort;
  readonly nativeTurns: NativeTurnPort;
  readonly jobControl: JobControlPort;
  readonly jobEndings: JobEndingsPort;
  readonly jobScan: JobScanPort;
  readonly jobParts: JobPartPort;
  readonly events: EventPort;
  readonly breakers: BreakerPort;
  readonly expiry: ExpiryPort;
  readonly endedRemoval: EndedRemovalPort;
  readonly redaction: RedactionPort;
  readonly erasure: ErasurePort;
  readonly callFigures: CallFiguresPort;
  readonly figures: FiguresPort;
  readonly schedulers: SchedulerPort;
  readonly accessTokens: AccessTokenStorePort;
  readonly sessions: SessionStorePort;
  readonly settingSets: SettingSetPort;
  readonly audit: AuditStorePort;
  readonly quotas: QuotaPort;
  readonly sharedWork: SharedWorkPort;
  readonly system: SystemPort;
  /** Those of the service itself, whose jobs follow from what is there: no limit of the memory refuses them. */
  readonly movingQueues: QueuePort;
  readonly attempts: AttemptPorts;
  readonly steps: StepPort;
  readonly jobSignals: JobSignalPort;
  readonly tickets: OneTimeStorePort<never>;
  readonly repairCodes: OneTimeStorePort<never>;
}

export const STORE_NATURES: { readonly [Name in keyof StorePorts]: Natures<StorePorts[Name]> } = {
  ...COLLECTION_NATURES,
  queues: QUEUE_NATURES,
  queueControl: QUEUE_CONTROL_NATURES,
  queueDirectory: QUEUE_DIRECTORY_NATURES,
  queueStandings: QUEUE_STANDING_NATURES,
  demand: DEMAND_NATURES,
  flows: FLOW_NATURES,
  groups: GROUP_NATURES,
  nativeTurns: NATIVE_TURN_NATURES,
  jobControl: JOB_CONTROL_NATURES,
  jobEndings: JOB_ENDINGS_NATURES,
  jobScan: JOB_SCAN_NATURES,
  jobParts: JOB_PART_NATURES,
  events: EVENT_NATURES,
  breakers: BREAKER_NATURES,
  expiry: EXPIRY_NATURES,
  endedRemoval: ENDED_REMOVAL_NATURES,
  redaction: REDACTION_NATURES,
  erasure: ERASURE_NATURES,
  callFigures: CALL_FIGURES_NATURES,
  figures: FIGURES_NATURES,
  schedulers: SCHEDULER_NATURES,
  accessTokens: ACCESS_TOKEN_NATURES,
  sessions: SESSION_NATURES,
  settingSets: SETTING_SET_NATURES,
  audit: AUDIT_NATURES,
  quotas: QUOTA_NATURES,
  sharedWork: SHARED_WORK_NATURES,
  system: SYSTEM_NATURES,
  movingQueues: {
    ...QUEUE_NATURES,
    add: { is: 'grows', inPieces: true },
    addOnce: { is: 'grows', inPieces: true },
  },
  attempts: { ...ATTEMPT_ENGINE_NATURES, ...ATTEMPT_HOLDER_NATURES, ...ATTEMPT_SWEEP_NATURES },
  steps: STEP_NATURES,
  jobSignals: JOB_SIGNAL_NATURES,
  tickets: ONE_TIME_NATURES,
  repairCodes: ONE_TIME_NATURES,
};

/** Gives each port of a store another form, by the natures of its methods. */
export function mapPorts(
  ports: StorePorts,
  map: <Port extends object>(port: Port, natures: Natures<Port>) => Port,
): StorePorts {
  const mapped = Object.entries(STORE_NATURES).map(([name, natures]) => [
    name,
    map(ports[name as keyof StorePorts] as object, natures as Natures<object>),
  ]);
  return Object.fromEntries(mapped) as StorePorts;
}

import { ACCESS_TOKEN_NATURES, type AccessTokenStorePort } from './access-token-store-port.ts';
import { AUDIT_NATURES, type AuditStorePort } from './audit-store-port.ts';
import { BREAKER_NATURES, type BreakerPort } from './breaker-port.ts';
import { CALL_FIGURES_NATURES, type CallFiguresPort } from './call-figures-port.ts';
import { DEMAND_NATURES, type DemandPort } from './demand-port.ts';
import { ENDED_REMOVAL_NATURES, type EndedRemovalPort } from './ended-removal-port.ts';
import { ERASURE_NATURES, type ErasurePort } from './erasure-port.ts';
import { EVENT_NATURES, type EventPort } from './event-port.ts';
import { EXPIRY_NATURES, type ExpiryPort } from './expiry-port.ts';
import { FIGURES_NATURES, type FiguresPort } from './figures-port.ts';
import { FLOW_NATURES, type FlowPort } from './flow-port.ts';
import { GROUP_NATURES, type GroupStorePort } from './group-store-port.ts';
import { HOOK_STATE_NATURES, type HookStatePort } from './hook-state-port.ts';
import { HOOK_NATURES, type HookStorePort } from './hook-store-port.ts';
import { JOB_CONTROL_NATURES, type JobControlPort } from './job-control-port.ts';
import { JOB_ENDINGS_NATURES, type JobEndingsPort } from './job-endings-port.ts';
import { JOB_PART_NATURES, type JobPartPort } from './job-part-port.ts';
import { JOB_SCAN_NATURES, type JobScanPort } from './job-scan-port.ts';
import { KEY_CHECK_NATURES, type KeyCheckStorePort } from './key-check-store-port.ts';
import { NATIVE_TURN_NATURES, type NativeTurnPort } from './native-turn-port.ts';
import { POLICY_NATURES, type PolicyStorePort } from './policy-store-port.ts';
import { QUEUE_CONTROL_NATURES, type QueueControlPort } from './queue-control-port.ts';
import { QUEUE_DIRECTORY_NATURES, type QueueDirectoryPort } from './queue-directory-port.ts';
import { QUEUE_NATURES, type QueuePort } from './queue-port.ts';
import { QUEUE_STANDING_NATURES, type QueueStandingPort } from './queue-standing-port.ts';
import { QUOTA_NATURES, type QuotaPort } from './quota-port.ts';
import { REDACTION_NATURES, type RedactionPort } from './redaction-port.ts';
import { SCHEDULER_NATURES, type SchedulerPort } from './scheduler-port.ts';
import { SESSION_NATURES, type SessionStorePort } from './session-store-port.ts';
import { SETTING_SET_NATURES, type SettingSetPort } from './setting-set-port.ts';
import { SYSTEM_NATURES, type SystemPort } from './system-port.ts';
import { WORKER_NATURES, type WorkerStorePort } from './worker-store-port.ts';
import { ATTEMPT_ENGINE_NATURES, type AttemptEnginePort } from './attempt-engine-port.ts';
import { ATTEMPT_HOLDER_NATURES, type AttemptHolderPort } from './attempt-holder-port.ts';
import { ATTEMPT_SWEEP_NATURES, type AttemptSweepPort } from './attempt-sweep-port.ts';
import { ONE_TIME_NATURES, type OneTimeStorePort } from './one-time-store-port.ts';
import type { Natures } from './nature.ts';

/** What holds, starts and ends attempts: one thing in a store, three in what users of it need. */
export type AttemptPorts = AttemptEnginePort & AttemptHolderPort & AttemptSweepPort;

/** The ports that every store has. */
export interface StorePorts {
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
  readonly policies: PolicyStorePort;
  readonly hooks: HookStorePort;
  readonly hookStates: HookStatePort;
  readonly workers: WorkerStorePort;
  readonly accessTokens: AccessTokenStorePort;
  readonly sessions: SessionStorePort;
  readonly settingSets: SettingSetPort;
  readonly audit: AuditStorePort;
  readonly keyChecks: KeyCheckStorePort;
  readonly quotas: QuotaPort;
  readonly system: SystemPort;
  /** Those of the service itself, whose jobs follow from what is there: no limit of the memory refuses them. */
  readonly movingQueues: QueuePort;
  readonly attempts: AttemptPorts;
  readonly tickets: OneTimeStorePort<never>;
  readonly repairCodes: OneTimeStorePort<never>;
}

export const STORE_NATURES: { readonly [Name in keyof StorePorts]: Natures<StorePorts[Name]> } = {
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
  policies: POLICY_NATURES,
  hooks: HOOK_NATURES,
  hookStates: HOOK_STATE_NATURES,
  workers: WORKER_NATURES,
  accessTokens: ACCESS_TOKEN_NATURES,
  sessions: SESSION_NATURES,
  settingSets: SETTING_SET_NATURES,
  audit: AUDIT_NATURES,
  keyChecks: KEY_CHECK_NATURES,
  quotas: QUOTA_NATURES,
  system: SYSTEM_NATURES,
  movingQueues: {
    ...QUEUE_NATURES,
    add: { is: 'grows', inPieces: true },
    addOnce: { is: 'grows', inPieces: true },
  },
  attempts: { ...ATTEMPT_ENGINE_NATURES, ...ATTEMPT_HOLDER_NATURES, ...ATTEMPT_SWEEP_NATURES },
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

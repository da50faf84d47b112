import { AUDIT_NATURES } from './ports/audit-store-port.ts';
import { BREAKER_NATURES } from './ports/breaker-port.ts';
import { CALL_FIGURES_NATURES } from './ports/call-figures-port.ts';
import { ACCESS_TOKEN_NATURES } from './kept/access-tokens.ts';
import { COLLECTION_NATURES } from './kept/collections.ts';
import { DEMAND_NATURES } from './ports/demand-port.ts';
import { ENDED_REMOVAL_NATURES } from './ports/ended-removal-port.ts';
import { ERASURE_NATURES } from './ports/erasure-port.ts';
import { EVENT_NATURES } from './ports/event-port.ts';
import { EXPIRY_NATURES } from './ports/expiry-port.ts';
import { FIGURES_NATURES } from './ports/figures-port.ts';
import { FLOW_NATURES } from './ports/flow-port.ts';
import { GROUP_NATURES } from './ports/group-store-port.ts';
import { JOB_CONTROL_NATURES } from './ports/job-control-port.ts';
import { JOB_ENDINGS_NATURES } from './ports/job-endings-port.ts';
import { JOB_PART_NATURES } from './ports/job-part-port.ts';
import { JOB_SCAN_NATURES } from './ports/job-scan-port.ts';
import { LIMIT_USE_NATURES } from './ports/limit-use-port.ts';
import { NATIVE_TURN_NATURES } from './ports/native-turn-port.ts';
import { QUEUE_CONTROL_NATURES } from './ports/queue-control-port.ts';
import { QUEUE_DIRECTORY_NATURES } from './ports/queue-directory-port.ts';
import { QUEUE_NATURES, type QueuePort } from './ports/queue-port.ts';
import { QUEUE_STANDING_NATURES } from './ports/queue-standing-port.ts';
import { QUOTA_NATURES } from './ports/quota-port.ts';
import { REDACTION_NATURES } from './ports/redaction-port.ts';
import { SCHEDULER_NATURES } from './ports/scheduler-port.ts';
import { SESSION_NATURES } from './ports/session-store-port.ts';
import { SHARED_WORK_NATURES } from './ports/shared-work-port.ts';
import { SETTING_SET_NATURES } from './ports/setting-set-port.ts';
import { SYSTEM_NATURES } from './ports/system-port.ts';
import { ATTEMPT_ENGINE_NATURES, type AttemptEnginePort } from './ports/attempt-engine-port.ts';
import { ATTEMPT_HOLDER_NATURES, type AttemptHolderPort } from './ports/attempt-holder-port.ts';
import { ATTEMPT_SWEEP_NATURES, type AttemptSweepPort } from './ports/attempt-sweep-port.ts';
import { ONE_TIME_NATURES } from './ports/one-time-store-port.ts';
import { JOB_SIGNAL_NATURES } from './ports/job-signal-port.ts';
import { STEP_NATURES } from './ports/step-port.ts';
import { TOKEN_USE_NATURES } from './ports/token-use-port.ts';
import { TOPIC_NATURES } from './ports/topic-port.ts';
import type { Natures, PortOf } from './ports/nature.ts';

/** What holds, starts and ends attempts: one thing in a store, three in what users of it need. */
export type AttemptPorts = AttemptEnginePort & AttemptHolderPort & AttemptSweepPort;

const ATTEMPT_NATURES: Natures<AttemptPorts> = {
  ...ATTEMPT_ENGINE_NATURES,
  ...ATTEMPT_HOLDER_NATURES,
  ...ATTEMPT_SWEEP_NATURES,
};

/** The natures of the methods of the ports that every store has. */
export const STORE_NATURES = {
  ...COLLECTION_NATURES,
  queues: QUEUE_NATURES,
  queueControl: QUEUE_CONTROL_NATURES,
  queueDirectory: QUEUE_DIRECTORY_NATURES,
  queueStandings: QUEUE_STANDING_NATURES,
  demand: DEMAND_NATURES,
  limitUse: LIMIT_USE_NATURES,
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
  tokenUses: TOKEN_USE_NATURES,
  sessions: SESSION_NATURES,
  settingSets: SETTING_SET_NATURES,
  audit: AUDIT_NATURES,
  quotas: QUOTA_NATURES,
  sharedWork: SHARED_WORK_NATURES,
  system: SYSTEM_NATURES,
  /** Those of the service itself, whose jobs follow from what is there: no limit of the memory refuses them. */
  movingQueues: {
    ...QUEUE_NATURES,
    add: { is: 'grows', inPieces: true },
    addOnce: { is: 'grows', inPieces: true },
  } satisfies Natures<QueuePort>,
  attempts: ATTEMPT_NATURES,
  steps: STEP_NATURES,
  jobSignals: JOB_SIGNAL_NATURES,
  topics: TOPIC_NATURES,
  tickets: ONE_TIME_NATURES,
  repairCodes: ONE_TIME_NATURES,
  signInTries: ONE_TIME_NATURES,
};

/** The ports that every store has. */
export type StorePorts = {
  readonly [Name in keyof typeof STORE_NATURES]: PortOf<(typeof STORE_NATURES)[Name]>;
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

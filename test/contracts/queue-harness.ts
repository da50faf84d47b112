import type { AttemptEnginePort } from '../../src/application/ports/attempt-engine-port.ts';
import type { AttemptHolderPort } from '../../src/application/ports/attempt-holder-port.ts';
import type { AttemptSweepPort } from '../../src/application/ports/attempt-sweep-port.ts';
import type { BreakerPort } from '../../src/application/ports/breaker-port.ts';
import type { CallFiguresPort } from '../../src/application/ports/call-figures-port.ts';
import type { DemandPort } from '../../src/application/ports/demand-port.ts';
import type { EndedRemovalPort } from '../../src/application/ports/ended-removal-port.ts';
import type { ErasurePort } from '../../src/application/ports/erasure-port.ts';
import type { EventPort } from '../../src/application/ports/event-port.ts';
import type { ExpiryPort } from '../../src/application/ports/expiry-port.ts';
import type { FiguresPort } from '../../src/application/ports/figures-port.ts';
import type { FlowPort } from '../../src/application/ports/flow-port.ts';
import type { GroupStorePort } from '../../src/application/ports/group-store-port.ts';
import type { JobControlPort } from '../../src/application/ports/job-control-port.ts';
import type { JobEndingsPort } from '../../src/application/ports/job-endings-port.ts';
import type { JobPartPort } from '../../src/application/ports/job-part-port.ts';
import type { JobScanPort } from '../../src/application/ports/job-scan-port.ts';
import type { AuditStorePort } from '../../src/application/ports/audit-store-port.ts';
import type { AccessTokenStorePort } from '../../src/application/ports/access-token-store-port.ts';
import type { HookStatePort } from '../../src/application/ports/hook-state-port.ts';
import type { HookStorePort } from '../../src/application/ports/hook-store-port.ts';
import type { PolicyStorePort } from '../../src/application/ports/policy-store-port.ts';
import type { QueueControlPort } from '../../src/application/ports/queue-control-port.ts';
import type { QueueDirectoryPort } from '../../src/application/ports/queue-directory-port.ts';
import type { SystemPort } from '../../src/application/ports/system-port.ts';
import type { StoreHealthPort } from '../../src/application/ports/store-health-port.ts';
import type { QuotaPort } from '../../src/application/ports/quota-port.ts';
import type { SettingSetPort } from '../../src/application/ports/setting-set-port.ts';
import type { SessionStorePort } from '../../src/application/ports/session-store-port.ts';
import type { OneTimeStorePort } from '../../src/application/ports/one-time-store-port.ts';
import type { RedactionPort } from '../../src/application/ports/redaction-port.ts';
import type { SchedulerPort } from '../../src/application/ports/scheduler-port.ts';
import type { QueueStandingPort } from '../../src/application/ports/queue-standing-port.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { QueuePort } from '../../src/application/ports/queue-port.ts';

/** The three ports of attempts, which the stores implement in one class. */
export interface AttemptPorts extends AttemptEnginePort, AttemptHolderPort, AttemptSweepPort {}

/** The ports of one replica. */
export interface QueueReplica {
  readonly queues: QueuePort;
  readonly attempts: AttemptPorts;
  readonly flows: FlowPort;
  readonly groups: GroupStorePort;
  readonly jobControl: JobControlPort;
  readonly jobEndings: JobEndingsPort;
  readonly jobScan: JobScanPort;
  readonly jobParts: JobPartPort;
  readonly events: EventPort;
  readonly oneTime: OneTimeStorePort<unknown>;
  readonly queueControl: QueueControlPort;
  readonly queueDirectory: QueueDirectoryPort;
  readonly expiry: ExpiryPort;
  readonly endedRemoval: EndedRemovalPort;
  readonly redaction: RedactionPort;
  readonly erasure: ErasurePort;
  readonly callFigures: CallFiguresPort;
  readonly figures: FiguresPort;
  readonly system: SystemPort;
  readonly breakers: BreakerPort;
  readonly queueStandings: QueueStandingPort;
  readonly demand: DemandPort;
  readonly policies: PolicyStorePort;
  readonly hooks: HookStorePort;
  readonly hookStates: HookStatePort;
  readonly accessTokens: AccessTokenStorePort;
  readonly sessions: SessionStorePort;
  readonly settingSets: SettingSetPort;
  readonly quotas: QuotaPort;
  /** Keeps ten entries. */
  readonly audit: AuditStorePort;
  readonly schedulers: SchedulerPort;
  readonly storeHealth: StoreHealthPort;
}

/** What the suites of the queue ports need of a store. One harness serves all tests of a suite. */
export interface QueueHarness extends QueueReplica {
  /** The prefix of qualified queue names. */
  readonly prefix: string;

  /** Epoch milliseconds on the clock that the replicas go by. It may stand still by itself. */
  readonly now: () => number;

  /**
   * Lets `ms` milliseconds pass, for the clock and for whatever else measures time in the store,
   * locks and limiter windows among it.
   */
  readonly advance: (ms: number) => Promise<void>;

  /** How many entries the store has of the groups of some queues, those of shares apart. */
  readonly entriesOfGroups: (queues: readonly QueueName[]) => Promise<number>;

  /** Another replica on the same store. */
  readonly replica: () => Promise<QueueReplica>;

  /**
   * All that the store keeps outside of the processes that use it, once whatever it keeps for a while is gone; texts as
   * they are or within JSON. Undefined for a store that keeps nothing.
   */
  readonly dump?: () => Promise<Buffer>;

  /** Ends the harness and all its replicas. */
  dispose(): Promise<void>;
}

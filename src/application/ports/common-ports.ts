import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Shape } from '../../domain/values/shape.ts';
import type { AttemptEnginePort } from './attempt-engine-port.ts';
import type { AttemptHolderPort } from './attempt-holder-port.ts';
import type { AttemptObserver } from './attempt-observer.ts';
import type { BreakerPort } from './breaker-port.ts';
import type { CalendarPort } from './calendar-port.ts';
import type { ClockPort } from './clock-port.ts';
import type { FlowPort } from './flow-port.ts';
import type { HookFormatPort } from './hook-format-port.ts';
import type { JobControlPort } from './job-control-port.ts';
import type { JobPartPort } from './job-part-port.ts';
import type { JobScanPort } from './job-scan-port.ts';
import type { LimitUsePort } from './limit-use-port.ts';
import type { LoggerPort } from './logger-port.ts';
import type { QueueDirectoryPort } from './queue-directory-port.ts';
import type { QueuePort } from './queue-port.ts';
import type { QueueStandingPort } from './queue-standing-port.ts';
import type { ReplicaSignalsPort } from './replica-signals-port.ts';
import type { SecretPort } from './secret-port.ts';
import type { SharedWorkPort } from './shared-work-port.ts';
import type { StepPort } from './step-port.ts';
import type { TokenPort } from './token-port.ts';
import type { TracingPort } from './tracing-port.ts';
import type { WebhookPort } from './webhook-port.ts';

/** The ports that several use cases need, under the names that all of them have for them: each picks its own. */
export interface CommonPorts {
  readonly clock: ClockPort;
  readonly calendar: CalendarPort;
  readonly logger: LoggerPort;
  /** Absent when nothing is traced. */
  readonly tracing?: TracingPort | undefined;
  readonly observer: AttemptObserver;
  readonly tokens: TokenPort;
  readonly secrets: SecretPort;
  readonly signals: ReplicaSignalsPort;
  readonly webhook: WebhookPort;
  readonly formats: HookFormatPort;
  /** The shape of the names of queues, which the configuration bounds. */
  readonly queueName: Shape<QueueName>;
  readonly queues: QueuePort;
  readonly directory: QueueDirectoryPort;
  readonly standings: QueueStandingPort;
  readonly limitUse: LimitUsePort;
  readonly control: JobControlPort;
  readonly parts: JobPartPort;
  readonly scan: JobScanPort;
  readonly steps: StepPort;
  readonly flows: FlowPort;
  readonly attempts: AttemptEnginePort;
  readonly holders: AttemptHolderPort;
  readonly breakers: BreakerPort;
  readonly sharedWork: SharedWorkPort;
}

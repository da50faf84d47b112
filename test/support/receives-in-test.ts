import { AttemptReports } from '../../src/application/attempts/attempt-reports.ts';
import { OverdueSweep } from '../../src/application/maintenance/overdue-sweep.ts';
import { VisibleMessages } from '../../src/application/maintenance/visible-messages.ts';
import { Receives, type ReceivesDependencies } from '../../src/application/messages/receives.ts';
import type { PoliciesInForce } from '../../src/application/policies/policies.ts';
import type { AttemptObserver } from '../../src/application/ports/attempt-observer.ts';
import type { ClockPort } from '../../src/application/ports/clock-port.ts';
import type { JobControlPort } from '../../src/application/ports/job-control-port.ts';
import type { QueuePort } from '../../src/application/ports/queue-port.ts';
import type { QueueStandingPort } from '../../src/application/ports/queue-standing-port.ts';
import type { ReplicaSignalsPort } from '../../src/application/ports/replica-signals-port.ts';
import type { WorkersInForce } from '../../src/application/kept/known-workers.ts';
import { ClaimNotes } from '../../src/application/pulls/claim-notes.ts';
import { JobClaims } from '../../src/application/pulls/job-claims.ts';
import { Rounds } from '../../src/application/running/rounds.ts';
import type { Policy } from '../../src/domain/policies/policy.ts';
import { RandomTokens } from '../../src/infrastructure/random-tokens.ts';
import type { AttemptPorts } from '../../src/application/store-ports.ts';
import { noPolicies } from './no-policies.ts';
import { silentLogger } from './silent-logger.ts';
import { unobserved } from './unobserved.ts';

type PartsOfReceives = Pick<ReceivesDependencies, 'claims' | 'reports'> & {
  readonly attempts: AttemptPorts;
  readonly queues: QueuePort;
  readonly jobControl: JobControlPort;
  readonly policies: PoliciesInForce;
  readonly workers: WorkersInForce;
  readonly observer: AttemptObserver;
  readonly clock: ClockPort;
};

/** The use case, with the sweep that makes its messages visible again, which the caller may start. */
export function receivesOf(parts: PartsOfReceives): { receives: Receives; sweep: OverdueSweep } {
  const { attempts, workers, observer, clock, jobControl: control } = parts;
  const visible = new VisibleMessages(parts);
  const ports = { attempts, holders: attempts, sweeps: attempts, messages: visible };
  const sweep = new OverdueSweep({ ...ports, workers, observer, clock }, 5000);
  return { receives: new Receives({ ...parts, control, visible, sweep }), sweep };
}

interface StoresOfReceives {
  readonly attempts: AttemptPorts;
  readonly queues: QueuePort;
  readonly jobControl: JobControlPort;
  readonly queueStandings: QueueStandingPort;
}

/** The messages of one replica in a test, over its stores. */
export class MessagesInTest {
  readonly receives: Receives;
  /** That of each queue; a test may change it at any time. */
  policy: Policy = {};
  readonly #sweep: Rounds;

  constructor(stores: StoresOfReceives, signals: ReplicaSignalsPort, clock: ClockPort) {
    const policies = { ...noPolicies, of: () => this.policy };
    const workers = { workerOf: () => Promise.resolve(undefined) };
    const { attempts, queues, jobControl, queueStandings } = stores;
    const shared = { attempts, policies, workers, observer: unobserved, clock };
    const notes = new ClaimNotes(queueStandings, clock);
    const pulls = { ...shared, tokens: new RandomTokens(), notes, logger: silentLogger };
    const { receives, sweep } = receivesOf({
      ...shared,
      queues,
      jobControl,
      claims: new JobClaims(pulls, signals, 30_000),
      reports: new AttemptReports({ ...shared, queues }),
    });
    this.receives = receives;
    this.#sweep = new Rounds(sweep, clock, silentLogger);
  }

  start(): Promise<void> {
    return this.#sweep.start();
  }

  stop(): Promise<void> {
    return this.#sweep.stop();
  }
}

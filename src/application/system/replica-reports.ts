import type { Replica } from '../../domain/system/system.ts';
import type { Health } from '../health/health.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { SystemPort } from '../ports/system-port.ts';
import type { RepeatedWork } from '../running/rounds.ts';

/** How often (ms) a replica reports itself. */
const INTERVAL = 5000;

/** Duration (ms) of the sleep that measures the lag of the event loop. */
const SHORT_SLEEP = 20;

/** This process, as it reports itself. */
export type ReplicaIdentity = Pick<Replica, 'instance' | 'version' | 'startedAt'>;

export interface ReplicaReportsDependencies {
  readonly identity: ReplicaIdentity;
  readonly system: SystemPort;
  readonly health: Pick<Health, 'readiness'>;
  readonly fleet: { readonly runningCalls: number };
  readonly clock: ClockPort;
}

/** Reports this replica to the store, so that every replica knows the others. */
export class ReplicaReports implements RepeatedWork {
  readonly name = 'replica reports';
  readonly failure = { line: 'This replica could not be reported', pause: INTERVAL };
  readonly #dependencies: ReplicaReportsDependencies;

  constructor(dependencies: ReplicaReportsDependencies) {
    this.#dependencies = dependencies;
  }

  async round(): Promise<number> {
    const { identity, system, health, fleet, clock } = this.#dependencies;
    const before = clock.now();
    await clock.sleep(SHORT_SLEEP);
    const lagMs = Math.max(0, Math.round(clock.now() - before - SHORT_SLEEP));
    const { ready } = await health.readiness();
    await system.report({ ...identity, ready, running: fleet.runningCalls, lagMs }, clock.now());
    return INTERVAL;
  }
}

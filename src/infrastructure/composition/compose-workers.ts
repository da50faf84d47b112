import { StalledSweep } from '../../application/maintenance/stalled-sweep.ts';
import { Fleet } from '../../application/workers/fleet.ts';
import { WorkerCalls } from '../../application/workers/worker-calls.ts';
import { WorkerHealthReader } from '../../application/workers/worker-health-reader.ts';
import { WorkerTest } from '../../application/workers/worker-test.ts';
import { Workers } from '../../application/workers/workers.ts';
import { renewalInterval } from '../../domain/attempts/stalled.ts';
import { workerShape } from '../../domain/workers/worker.ts';
import type { MakeAttempt } from '../../application/calls/attempt-runner.ts';
import type { Config } from '../config/config.ts';
import type { SharedParts } from './shared-parts.ts';

/** The workers, and the fleet that calls their endpoints. */
export function composeWorkers(
  shared: SharedParts,
  { workers: { lockDuration, stalledInterval } }: Config,
  makeAttempt: MakeAttempt,
) {
  const { callFigures, callRecorder: recorder, figureRecorder, figures, signals } = shared;
  const { workers: inForce, workerStore: store } = shared;
  const sweep = new StalledSweep({ ...shared, interval: stalledInterval });
  const fleet = new Fleet(store, inForce, signals, sweep, {
    ...shared,
    makeAttempt,
    lockDuration,
    renewalInterval: renewalInterval(lockDuration, stalledInterval),
  });
  const shape = workerShape(shared.queueName);
  return {
    useCases: {
      workers: new Workers({ ...shared, store, inForce, fleet, shape }),
      workerHealth: new WorkerHealthReader({
        ...shared,
        store,
        inForce,
        figures: callFigures,
        recorder,
      }),
      workerCalls: new WorkerCalls(figures, figureRecorder, store),
      workerTest: new WorkerTest({ ...shared, workers: store }),
    },
    sweep,
    fleet,
  };
}

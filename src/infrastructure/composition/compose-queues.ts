import type { RequestLimits } from '../../application/access/request-limits.ts';
import { EventDigests } from '../../application/digests/event-digests.ts';
import { Events } from '../../application/events/events.ts';
import { BacklogSampler } from '../../application/figures/backlog-sampler.ts';
import { Figures } from '../../application/figures/figures.ts';
import { Groups } from '../../application/groups/groups.ts';
import { NativeTurns } from '../../application/groups/native-turns.ts';
import { DemandView } from '../../application/queues/demand-view.ts';
import { FiguredQueues } from '../../application/queues/figured-queues.ts';
import { QueueDemands } from '../../application/queues/queue-demands.ts';
import { Queues } from '../../application/queues/queues.ts';
import { RecentQueueFigures } from '../../application/queues/recent-queue-figures.ts';
import { ScalingDemands } from '../../application/queues/scaling-demands.ts';
import { SchedulerRates } from '../../application/schedulers/scheduler-rates.ts';
import { Schedulers } from '../../application/schedulers/schedulers.ts';
import type { Workers } from '../../application/workers/workers.ts';
import type { SharedParts } from './shared-parts.ts';

/** What shows and controls queues with their groups and schedulers. */
export function composeQueues(shared: SharedParts, registration: Workers, limits: RequestLimits) {
  const { blocked, clock, figureRecorder, figures, logger, names, policies, view } = shared;
  const { jobControl, queueControl, workers, workerStore } = shared;
  const demands = new QueueDemands(shared.demand, workers, policies);
  const demandView = new DemandView(names, demands, clock);
  const events = new Events(shared.events, shared.eventObserver, clock);
  const recent = new RecentQueueFigures(figures);
  const rates = new SchedulerRates({ ...shared, limits });
  const stored = { ...shared, workers: workerStore };
  return {
    useCases: {
      figures: new Figures(figures, figureRecorder, view, clock),
      figuredQueues: new FiguredQueues({ ...shared, figures: recent }),
      scalingDemands: new ScalingDemands(demands, demandView),
      queues: new Queues({ ...stored, control: queueControl, jobs: jobControl, registration }),
      groups: new Groups({ ...shared, store: shared.groups }),
      events,
      digests: new EventDigests(events, view, blocked, clock),
      schedulers: new Schedulers({ ...stored, rates }),
    },
    demands,
    demandView,
    sampler: new BacklogSampler(view, figures, clock, logger),
    native: new NativeTurns({ ...shared, turns: shared.nativeTurns }),
  };
}

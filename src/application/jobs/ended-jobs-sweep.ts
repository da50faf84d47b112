import { isLimiting, type RetentionPolicy } from '../../domain/policies/retention-policy.ts';
import type { Policy } from '../../domain/policies/policy.ts';
import {
  QUEUES_PER_REMOVAL,
  type EndedRemovalPort,
  type RetainedQueue,
} from '../ports/ended-removal-port.ts';
import { PolicySweep, type PolicySweepDependencies } from './policy-sweep.ts';

export interface EndedJobsSweepDependencies extends PolicySweepDependencies {
  readonly removal: EndedRemovalPort;
  /** The retention of queues whose policies name none (DEFAULT_RETENTION). */
  readonly byDefault: RetentionPolicy | undefined;
}

/** Removes the jobs that ended and that the retention of their queue does not keep (reach contract, section 20). */
export class EndedJobsSweep extends PolicySweep<RetainedQueue> {
  constructor(dependencies: EndedJobsSweepDependencies) {
    const { removal, byDefault } = dependencies;
    const retentionOf = (policy: Policy | undefined): RetentionPolicy =>
      policy?.retention ?? byDefault ?? {};
    super(dependencies, {
      name: 'sweep of ended jobs',
      failure: 'Ended jobs could not be removed',
      done: 'Ended jobs removed',
      queuesPerStep: QUEUES_PER_REMOVAL,
      isGivenBy: (policy) => isLimiting(retentionOf(policy)),
      rule: (queue, policy) => {
        const retention = retentionOf(policy);
        return isLimiting(retention) ? { queue, retention } : undefined;
      },
      claim: (interval) => removal.claimSweep(interval),
      step: async (queues) => {
        const { removed, left } = await removal.removeBeyond(queues);
        return { count: removed, left };
      },
    });
  }
}

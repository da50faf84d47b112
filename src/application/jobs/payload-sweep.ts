import {
  QUEUES_PER_REDACTION,
  type KeptPayloads,
  type RedactionPort,
} from '../ports/redaction-port.ts';
import { PolicySweep, type PolicySweepDependencies } from './policy-sweep.ts';

export interface PayloadSweepDependencies extends PolicySweepDependencies {
  readonly redaction: RedactionPort;
}

/** Redacts the jobs whose values their queue no longer keeps since they ended (reach contract, section 20). */
export class PayloadSweep extends PolicySweep<KeptPayloads> {
  constructor(dependencies: PayloadSweepDependencies) {
    const { redaction } = dependencies;
    super(dependencies, {
      name: 'sweep of payloads',
      failure: 'The values of ended jobs could not be removed',
      done: 'Ended jobs redacted',
      queuesPerStep: QUEUES_PER_REDACTION,
      isGivenBy: (policy) => policy?.payloads !== undefined,
      rule: (queue, policy, before) =>
        policy?.payloads && { ...before, queue, keep: policy.payloads.keep },
      claim: (interval) => redaction.claimSweep(interval),
      step: async (queues) => {
        const { redacted, left } = await redaction.redactBeyond(queues);
        return { count: redacted, left };
      },
    });
  }
}

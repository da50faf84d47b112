import { isLimiting, type RetentionPolicy } from '../../domain/policies/retention-policy.ts';
import type { Policy } from '../../domain/policies/policy.ts';
import {
  QUEUES_PER_REMOVAL,
  type EndedRemovalPort,
  type RetainedQueue,
} from '../ports/ended-removal-port.ts';
import {
  QUEUES_PER_REDACTION,
  type KeptPayloads,
  type RedactionPort,
} from '../ports/redaction-port.ts';
import type { SweptRule } from './policy-sweep.ts';

/**
 * Removes the jobs that ended and that the retention of their queue does not keep (reach contract, section 20).
 *
 * @param byDefault the retention of queues whose policies name none (DEFAULT_RETENTION).
 */
export function retentionRule(
  removal: EndedRemovalPort,
  byDefault: RetentionPolicy = {},
): SweptRule<RetainedQueue> {
  const retentionOf = (policy: Policy | undefined): RetentionPolicy =>
    policy?.retention ?? byDefault;
  return {
    name: 'sweep of ended jobs',
    failure: 'Ended jobs could not be removed',
    done: 'Ended jobs removed',
    queuesPerStep: QUEUES_PER_REMOVAL,
    work: 'ended-sweep',
    isGivenBy: (policy) => isLimiting(retentionOf(policy)),
    rule: (queue, policy) => {
      const retention = retentionOf(policy);
      return isLimiting(retention) ? { queue, retention } : undefined;
    },
    step: (queues) => removal.removeBeyond(queues),
  };
}

/** Redacts the jobs whose values their queue no longer keeps since they ended (reach contract, section 20). */
export function payloadRule(redaction: RedactionPort): SweptRule<KeptPayloads> {
  return {
    name: 'sweep of payloads',
    failure: 'The values of ended jobs could not be removed',
    done: 'Ended jobs redacted',
    queuesPerStep: QUEUES_PER_REDACTION,
    work: 'payload-sweep',
    isGivenBy: (policy) => policy?.payloads !== undefined,
    rule: (queue, policy, before) =>
      policy?.payloads && { ...before, queue, keep: policy.payloads.keep },
    step: (queues) => redaction.redactBeyond(queues),
  };
}

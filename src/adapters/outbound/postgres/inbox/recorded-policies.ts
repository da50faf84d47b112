import { ALL_QUEUES } from '../../../../application/kept/policies.ts';
import { joinedPolicy, type Policy } from '../../../../domain/policies/policy.ts';
import type { StoreRecords } from '../../memory/records/store-records.ts';

/** The policies in force, as the records of a replica have them now. */
export interface RecordedPolicies {
  of(queue: string): Policy;
}

export function recordedPolicies(records: StoreRecords): RecordedPolicies {
  const read = (scope: string): Policy | undefined => records.read('policy', '', scope);
  return { of: (queue) => joinedPolicy(read(queue) ?? {}, read(ALL_QUEUES)) };
}

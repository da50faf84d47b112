import type { PoliciesInForce } from '../../../../application/policies/policies.ts';
import { ALL_QUEUES } from '../../../../application/kept/policies.ts';
import { joinedPolicy, type Policy } from '../../../../domain/policies/policy.ts';
import type { StoreRecords } from '../../memory/records/store-records.ts';

/** The policies in force, as the records of a replica have them now. */
export class RecordedPolicies implements Pick<PoliciesInForce, 'of'> {
  readonly #records: StoreRecords;

  constructor(records: StoreRecords) {
    this.#records = records;
  }

  of(queue: string): Policy {
    return joinedPolicy(this.#read(queue) ?? {}, this.#read(ALL_QUEUES));
  }

  #read(scope: string): Policy | undefined {
    return this.#records.read('policy', '', scope);
  }
}

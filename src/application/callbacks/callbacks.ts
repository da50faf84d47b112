import type { SigningSecrets } from '../../domain/calls/signing.ts';
import { invalidRequest } from '../../domain/errors.ts';
import { checkCallback, type Callback } from '../../domain/jobs/callback.ts';
import { allowsOrigin } from '../../domain/policies/callback-policy.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import type { Shape } from '../../domain/values/shape.ts';
import { parseSealedText } from '../../domain/values/sealed-text.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import { ALL_QUEUES, type PolicyScope } from '../kept/policies.ts';
import type { Policy } from '../../domain/policies/policy.ts';
import type { Sealing } from '../secrets/sealing.ts';

/** A callback is encrypted for its origin, whatever record has it. */
const NO_RECORD = '';

/** The options of a job, as far as they concern its callback. */
interface WithCallback {
  readonly callback?: Callback | undefined;
}

export interface CallbacksDependencies {
  readonly policies: Pick<PoliciesInForce, 'of'>;
  readonly sealing: Sealing<Callback>;
  readonly ofPolicies: Sealing<Policy>;
  readonly queueName: Shape<QueueName>;
}

/** What callbacks of jobs may do, and what signs them (reach contract, section 18). */
export class Callbacks {
  readonly #policies: CallbacksDependencies['policies'];
  readonly #sealing: Sealing<Callback>;
  readonly #ofPolicies: Sealing<Policy>;
  readonly #queueName: Shape<QueueName>;

  constructor({ policies, sealing, ofPolicies, queueName }: CallbacksDependencies) {
    this.#policies = policies;
    this.#sealing = sealing;
    this.#ofPolicies = ofPolicies;
    this.#queueName = queueName;
  }

  /**
   * The options of a job as they are stored: with the headers of its callback encrypted.
   *
   * @param path of the options, for errors.
   * @param sealed a callback that was checked and encrypted before.
   * @throws DomainError `invalid-request` for a callback that the policy of the queue does not allow.
   */
  prepared<Options extends WithCallback>(
    queue: QueueName,
    opts: Options,
    path: string,
    sealed?: Callback,
  ): Options {
    const { callback } = opts;
    if (callback === undefined) return opts;
    if ('queue' in callback) {
      checkShape(this.#queueName, callback.queue, `${path}.callback.queue`);
      return opts;
    }
    const policy = this.#policies.of(queue);
    if (callback !== sealed) checkCallback(callback, `${path}.callback`);
    if (policy?.callbacks === undefined || !allowsOrigin(policy.callbacks, callback.url)) {
      const field = `${path}.callback.url`;
      throw invalidRequest(`${field} is not allowed by the policy of ${queue}`, field);
    }
    // That of a policy is stored encrypted, and stays so.
    if (callback === policy.defaults?.callback || callback === sealed) return opts;
    return { ...opts, callback: this.#sealing.sealed(callback, NO_RECORD) };
  }

  /** The callback with its headers decrypted; undefined when one of them cannot be. */
  opened(callback: Callback): Callback | undefined {
    return this.#sealing.unreadable(callback, NO_RECORD) === undefined
      ? this.#sealing.opened(callback, NO_RECORD)
      : undefined;
  }

  /**
   * What signs the callbacks of a queue now: undefined for nothing, `unreadable` when the secret cannot be decrypted
   * here.
   */
  signingOf(queue: QueueName): SigningSecrets | 'unreadable' | undefined {
    const policy = this.#policies.of(queue);
    if (policy?.callbacks?.secret === undefined) return undefined;
    // The policy of all queues completes that of the queue, and which of the two has the secret is not known.
    const scopes: readonly PolicyScope[] = [queue, ALL_QUEUES];
    for (const scope of scopes) {
      const { callbacks } = this.#ofPolicies.opened({ callbacks: policy.callbacks }, scope);
      const { secret } = callbacks ?? {};
      if (secret !== undefined && parseSealedText(secret) === undefined) {
        return { current: secret, former: [] };
      }
    }
    return 'unreadable';
  }
}

import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import { DomainError, existing, invalidRequest, notFound } from '../../domain/errors.ts';
import {
  checkPolicy,
  joinedPolicy,
  withCallback,
  type Policy,
} from '../../domain/policies/policy.ts';
import { deadLetterQueuesOf } from '../../domain/policies/dead-letters.ts';
import { checkMessages } from '../../domain/policies/message-policy.ts';
import { shownPolicy } from '../../domain/policies/shown-policy.ts';
import { isOwnQueue } from '../../domain/queues/own-queue.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { zoneOf, type ComputedWindow } from '../../domain/queues/window.ts';
import type { Shape } from '../../domain/values/shape.ts';
import { sameJson } from '../../domain/values/same-json.ts';
import { without } from '../../domain/values/without.ts';
import { onceChanged } from '../running/once-changed.ts';
import { RecordInForce, type RecordDependencies } from '../running/record-in-force.ts';
import { StepsInFlight } from '../running/steps-in-flight.ts';
import type { CalendarPort } from '../ports/calendar-port.ts';
import { eachRecord } from '../kept/each-record.ts';
import { ALL_QUEUES, type PolicyScope, type KeptPolicies } from '../kept/policies.ts';
import type { KeptWorkers } from '../kept/workers.ts';
import type { KeptLimits } from '../kept/limits.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import type { SecretPort } from '../ports/secret-port.ts';
import type { Sealing } from '../secrets/sealing.ts';
import { Windows } from './windows.ts';

/** The policies in force, as needed by the use cases that add and start jobs. */
export type PoliciesInForce = Pick<
  Policies,
  'areKnown' | 'known' | 'of' | 'windowOf' | 'takesDeadLetters' | 'startJobs'
>;

/** The stored policies, as needed by the use cases that show and remove whole queues. */
export type QueuePolicies = Pick<
  Policies,
  'find' | 'forget' | 'deadLetterSources' | 'sendsDeadLetters'
>;

export interface PoliciesDependencies
  extends RecordDependencies, Pick<CommonPorts, 'secrets' | 'queueName'> {
  /** The policies with their secrets encrypted: what a secret is needed for decrypts it. */
  readonly store: KeptPolicies;
  readonly sealing: Sealing<Policy>;
  /** The stored workers: those without a URL need a policy of destinations. */
  readonly workers: Pick<KeptWorkers, 'ids' | 'list'>;
  readonly calendar: Pick<CalendarPort, 'isZone' | 'offsetAt'>;
  readonly limits: Pick<KeptLimits, 'find'>;
}

const NO_SOURCES: ReadonlySet<PolicyScope> = new Set();

/**
 * The policies in force on this replica, and the operations on them. They are kept in memory, since every add needs
 * one. When a change is answered, no job starts here any more under the policies before it.
 */
export class Policies extends RecordInForce {
  readonly #store: KeptPolicies;
  readonly #sealing: Sealing<Policy>;
  readonly #workers: PoliciesDependencies['workers'];
  readonly #signals: ReplicaSignalsPort;
  readonly #secrets: SecretPort;
  readonly #calendar: Pick<CalendarPort, 'isZone' | 'offsetAt'>;
  readonly #windows: Windows;
  readonly #limits: Pick<KeptLimits, 'find'>;
  readonly #queueName: Shape<QueueName>;
  readonly #starts = new StepsInFlight();
  #inForce: ReadonlyMap<PolicyScope, Policy> | undefined;
  /** By dead letter queue, whose policies send jobs there. */
  #sources: ReadonlyMap<string, ReadonlySet<PolicyScope>> = new Map();

  constructor(dependencies: PoliciesDependencies) {
    super('policies', dependencies);
    const { store, sealing, signals, calendar, clock, secrets, limits, queueName } = dependencies;
    this.#limits = limits;
    this.#queueName = queueName;
    this.#calendar = calendar;
    this.#windows = new Windows(calendar, clock);
    this.#store = store;
    this.#sealing = sealing;
    this.#workers = dependencies.workers;
    this.#signals = signals;
    this.#secrets = secrets;
  }

  override get areKnown(): boolean {
    return this.#inForce !== undefined;
  }

  /** The policy of the queue, completed by the policy of all queues; none is about the service's own queues. */
  of(queue: QueueName): Policy | undefined {
    if (isOwnQueue(queue)) return undefined;
    return this.#inForce?.get(queue) ?? this.#inForce?.get(ALL_QUEUES);
  }

  /** The policy of the queues that have none of their own. */
  get ofOthers(): Policy | undefined {
    return this.#inForce?.get(ALL_QUEUES);
  }

  /** The policies of single queues in force, each completed by the policy of all queues. */
  *each(): Iterable<readonly [QueueName, Policy]> {
    for (const [scope, policy] of this.#inForce ?? []) {
      if (scope !== ALL_QUEUES) yield [scope, policy];
    }
  }

  /** Whose stored policy names a limit, `all queues` for that of all; undefined when none does. @throws DomainError `store-unavailable`. */
  async namingLimit(limit: string): Promise<string | undefined> {
    await this.refresh();
    const [scope] =
      [...(this.#inForce ?? [])].find(([, { limits }]) => limits?.includes(limit)) ?? [];
    return scope === ALL_QUEUES ? 'all queues' : scope;
  }

  /** Whether jobs of the queue may start now; undefined for a queue without a window. */
  windowOf(queue: QueueName): ComputedWindow | undefined {
    const window = this.of(queue)?.window;
    return window && this.#windows.stateOf(window);
  }

  /** Whether a policy of another queue, or of all, sends the failed jobs there. */
  takesDeadLetters(queue: QueueName): boolean {
    return this.#sources.has(queue);
  }

  /** The queues, and ALL_QUEUES, whose policies in force send their failed jobs to the queue. */
  deadLetterSources(queue: QueueName): ReadonlySet<PolicyScope> {
    return this.#sources.get(queue) ?? NO_SOURCES;
  }

  /** Whether the policy in force of a queue sends its failed jobs to another one. */
  sendsDeadLetters(from: QueueName, to: QueueName): boolean {
    const policy = this.of(from);
    return from !== to && policy !== undefined && deadLetterQueuesOf(policy).includes(to);
  }

  /**
   * Makes a request to the store that may start jobs under the policies in force; it must read them when `request` is
   * called. A change is not answered before the requests under earlier policies were.
   *
   * @throws DomainError `store-unavailable` when the policies are unknown and cannot be read.
   */
  startJobs<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    if (this.areKnown) return this.#starts.run(request);
    return this.known().then(() => this.#starts.run(request));
  }

  /** As it may be shown: without secrets. @throws DomainError `policy-not-found`. */
  async read(scope: PolicyScope): Promise<Policy> {
    return shownPolicy(existing(await this.#store.find(scope), 'policy'));
  }

  /**
   * Replaces the policy of its scope. Callbacks that are to be signed get a new secret when none is given or stored. A
   * limit that was removed meanwhile, on any replica, has the earlier policy back.
   *
   * @returns it as it may be shown: without secrets but a new one, which is returned only this once.
   * @throws DomainError `invalid-request` naming the field, or `policy-in-use`.
   */
  async save(scope: PolicyScope, policy: Policy): Promise<Policy> {
    await this.#check(scope, policy);
    await this.#requireUnused(scope, policy);
    const secret = asksForSecret(policy) ? this.#secrets.draw() : undefined;
    const given = this.#sealed(scope, policy);
    const fresh = secret === undefined ? given : this.#sealed(scope, withSecret(policy, secret));
    let before: Policy | undefined;
    const stored = await this.#store.put(scope, (present) => {
      before = present;
      const kept = present?.callbacks?.secret;
      return secret === undefined || kept === undefined ? fresh : withSecret(given, kept);
    });
    try {
      await this.#requireLimits(policy);
    } catch (error) {
      await this.#putBack(scope, stored, before);
      throw error;
    }
    await this.changed();
    const shown = await onceChanged(this.read(scope));
    const isFresh = stored?.callbacks?.secret === fresh.callbacks?.secret;
    return secret !== undefined && isFresh ? withSecret(shown, secret) : shown;
  }

  /** The policy as `read` would answer it after `save`; nothing is stored. @throws DomainError `invalid-request`. */
  async preview(scope: PolicyScope, policy: Policy): Promise<Policy> {
    await this.#check(scope, policy);
    return shownPolicy(policy);
  }

  /**
   * Changes the policy of a queue in one step, apart from what is secret in it.
   *
   * @param change makes it from the present one, of which a queue may have none; the same again changes nothing. It may
   *   be called several times.
   * @throws DomainError `invalid-request` naming the field.
   */
  async change(
    queue: QueueName,
    change: (policy: Policy | undefined) => Policy | undefined,
  ): Promise<void> {
    const last = { isChange: false };
    await this.#store.put(queue, (before) => {
      const after = change(before);
      last.isChange = after !== undefined && after !== before;
      if (after === undefined || !last.isChange) return undefined;
      checkPolicy(after, this.#queueName);
      return after;
    });
    if (last.isChange) await this.changed();
  }

  /** @throws DomainError `policy-not-found`, or `policy-in-use`. */
  async remove(scope: PolicyScope): Promise<void> {
    await this.#requireUnused(scope, undefined);
    if (!(await this.#store.remove(scope))) throw notFound('policy');
    await this.changed();
  }

  /** As it may be shown: without secrets. */
  async find(queue: QueueName): Promise<Policy | undefined> {
    const policy = await this.#store.find(queue);
    return policy && shownPolicy(policy);
  }

  /** Removes the policy of the queue, if it has one. */
  async forget(queue: QueueName): Promise<void> {
    if (await this.#store.remove(queue)) await this.changed();
  }

  /**
   * Lets a policy lose its destinations unless a worker without a URL needs them (further contract, section 23).
   *
   * @param after undefined when the policy is removed.
   * @throws DomainError `policy-in-use`.
   */
  async #requireUnused(scope: PolicyScope, after: Policy | undefined): Promise<void> {
    const before = await this.#store.find(scope);
    if (before?.endpoints === undefined || after?.endpoints !== undefined) return;
    const of = async (each: PolicyScope) => (await this.#store.find(each))?.endpoints;
    if (scope !== ALL_QUEUES && (await of(ALL_QUEUES)) !== undefined) return;
    const ids = scope === ALL_QUEUES ? undefined : [scope];
    for await (const [queue, { endpoint }] of eachRecord(this.#workers, ids)) {
      if (endpoint.url !== null) continue;
      if (scope === ALL_QUEUES && (await of(queue)) !== undefined) continue;
      const message = `The worker of ${queue} has no URL, and needs the endpoints of the policy`;
      throw new DomainError('policy-in-use', message);
    }
  }

  /** The policy as it is stored: whether its callbacks are signed follows from their secret. */
  #sealed(scope: PolicyScope, policy: Policy): Policy {
    const sealed = this.#sealing.sealed(policy, scope);
    const { callbacks } = sealed;
    return callbacks === undefined
      ? sealed
      : { ...sealed, callbacks: without(callbacks, 'signed') };
  }

  async #check(scope: PolicyScope, policy: Policy): Promise<void> {
    checkPolicy(policy, this.#queueName);
    const { window } = policy;
    if (window !== undefined && !this.#calendar.isZone(zoneOf(window))) {
      throw invalidRequest('window.tz must be the name of a time zone', 'window.tz');
    }
    checkMessages(policy.messages, scope === ALL_QUEUES ? undefined : scope);
    await this.#requireLimits(policy);
  }

  async #requireLimits({ limits = [] }: Policy): Promise<void> {
    for (const [index, name] of limits.entries()) {
      if ((await this.#limits.find(name)) !== undefined) continue;
      throw invalidRequest(`limits[${index}] ${name} does not exist`, `limits[${index}]`);
    }
  }

  /** Takes a change back, unless the policy has been changed again. */
  async #putBack(
    scope: PolicyScope,
    stored: Policy | undefined,
    before: Policy | undefined,
  ): Promise<void> {
    if (before === undefined) await this.#store.remove(scope);
    else await this.#store.put(scope, (kept) => (sameJson(kept, stored) ? before : undefined));
    await this.changed();
  }

  override async changed(): Promise<void> {
    await super.changed();
    await this.#starts.over();
  }

  protected override async readRecord(): Promise<void> {
    const { records } = await this.#store.list();
    const stored = new Map([...records].map(([scope, policy]) => [scope, withCallback(policy)]));
    const ofAll = stored.get(ALL_QUEUES);
    const joined = [...stored].map(
      ([scope, policy]) =>
        [scope, scope === ALL_QUEUES ? policy : joinedPolicy(policy, ofAll)] as const,
    );
    const before = this.#inForce;
    this.#inForce = new Map(joined);
    this.#sources = sourcesOfLetters(this.#inForce);
    this.#announceTerms(before);
  }

  /** Claims that wait for a window or for room at a limit are made again once their policy names others. */
  #announceTerms(before: ReadonlyMap<PolicyScope, Policy> | undefined): void {
    if (before === undefined) return;
    for (const scope of new Set([...before.keys(), ...(this.#inForce?.keys() ?? [])])) {
      if (termsOf(before.get(scope)) === termsOf(this.#inForce?.get(scope))) continue;
      this.#signals.send('opened', scope === ALL_QUEUES ? {} : { queue: scope });
    }
  }
}

/** What decides whether claims get jobs, as text. */
function termsOf(policy: Policy | undefined): string {
  return JSON.stringify([policy?.window, policy?.limits]);
}

function sourcesOfLetters(
  policies: ReadonlyMap<PolicyScope, Policy>,
): ReadonlyMap<string, ReadonlySet<PolicyScope>> {
  const sources = new Map<string, Set<PolicyScope>>();
  for (const [scope, policy] of policies) {
    for (const queue of deadLetterQueuesOf(policy)) {
      // A queue that a policy of all names sends nothing to itself.
      if (queue === scope) continue;
      keptOrMade(sources, queue, () => new Set()).add(scope);
    }
  }
  return sources;
}

/** Whether its callbacks are to be signed, with the secret that is stored or a new one. */
function asksForSecret({ callbacks }: Policy): boolean {
  return callbacks?.signed === true && callbacks.secret === undefined;
}

function withSecret(policy: Policy, secret: string): Policy {
  const { callbacks } = policy;
  return callbacks === undefined ? policy : { ...policy, callbacks: { ...callbacks, secret } };
}

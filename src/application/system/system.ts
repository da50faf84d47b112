import {
  systemWarnings,
  storeFactsShape,
  replicaShape,
  systemWarningShape,
} from '../../domain/system/system.ts';
import {
  object,
  required,
  time,
  listOf,
  mapOf,
  integer,
  type Shaped,
  string,
} from '../../domain/values/shape.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { SystemPort } from '../ports/system-port.ts';
import type { QueueNames } from '../queues/queue-names.ts';
import { Shared } from '../running/shared.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ReplicaIdentity } from './replica-reports.ts';

/** Facts about the hooks. */
export interface HooksAtWork {
  /** How many cannot deliver their messages. */
  count(): Promise<number>;
}

export const systemReportShape = object('System', {
  version: required(string, 'The version of the replica that answers'),
  startedAt: required(time, 'When that replica started, in milliseconds since 1970'),
  store: required(storeFactsShape, 'The store'),
  replicas: required(listOf(replicaShape), 'The replicas that reported themselves within 15 s'),
  secrets: required(
    mapOf(string, integer(0), 'be an object of ids of keys and numbers'),
    'How many header values and secrets of workers and hooks each key keeps; `none` for those kept as they are',
  ),
  warnings: required(listOf(systemWarningShape), 'The settings that an operator should change'),
});

export type SystemReport = Shaped<typeof systemReportShape>;

/** How long (ms) the BullMQ versions that wrote the queues are cached. */
const VERSIONS_KNOWN_FOR = 60_000;

/** Reports the state of the service as a whole (platform contract, section 10). */
export class System {
  readonly #identity: ReplicaIdentity;
  readonly #system: SystemPort;
  readonly #secrets: Pick<Secrets, 'hasKey' | 'counts'>;
  readonly #failingHooks: HooksAtWork;
  readonly #clock: ClockPort;
  readonly #nativeVersions: Shared<readonly string[]>;

  /** @param mostQueues how many queues have their metadata examined. */
  constructor(
    identity: ReplicaIdentity,
    system: SystemPort,
    names: QueueNames,
    secrets: Pick<Secrets, 'hasKey' | 'counts'>,
    failingHooks: HooksAtWork,
    clock: ClockPort,
    mostQueues: number,
  ) {
    this.#identity = identity;
    this.#system = system;
    this.#secrets = secrets;
    this.#failingHooks = failingHooks;
    this.#clock = clock;
    this.#nativeVersions = new Shared(clock, { freshFor: VERSIONS_KNOWN_FOR }, async () =>
      system.nativeVersions((await names.list()).slice(0, mostQueues)),
    );
  }

  /** @throws DomainError `store-unavailable`. */
  async read(): Promise<SystemReport> {
    const before = this.#clock.now();
    const { facts, ...report } = await this.#system.store();
    const store = { ...facts, latencyMs: Math.max(0, Math.round(this.#clock.now() - before)) };
    const [replicas, nativeVersions, secrets, failingHooks] = await Promise.all([
      this.#system.replicas(),
      this.#nativeVersions.of(),
      this.#secrets.counts(),
      this.#failingHooks.count(),
    ]);
    const { version, startedAt } = this.#identity;
    const openSecrets = this.#secrets.hasKey ? 0 : (secrets['none'] ?? 0);
    const known = { ...report, store, replicas, nativeVersions, openSecrets, failingHooks };
    const warnings = systemWarnings(known);
    return { version, startedAt, store, replicas, secrets, warnings };
  }
}

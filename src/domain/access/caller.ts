import { DomainError } from '../errors.ts';
import { queuePatterns } from './queue-patterns.ts';
import type { Right } from './right.ts';

/** What a token may do, on which queues. */
export interface Access {
  readonly rights: readonly Right[];
  /** Patterns such as `mail-*` and `!mail-vip`; null for all queues. */
  readonly queues: readonly string[] | null;
}

export interface CallerFacts extends Access {
  /** Distinguishes tokens. It stays when a token is replaced by a new one. */
  readonly id: string;
  readonly name: string;
  /** What the idempotency keys of the caller belong to. */
  readonly keySpace: string;
  /** Epoch ms; null for a token without an end. */
  readonly expires: number | null;
}

/** The holder of a token that authentication accepted (platform contract, section 11). */
export class Caller {
  readonly id: string;
  readonly name: string;
  readonly keySpace: string;
  readonly expires: number | null;
  readonly rights: readonly Right[];
  readonly queues: readonly string[] | null;
  readonly #rights: ReadonlySet<Right>;
  /** Whether the caller may use the queue of a name, which need not be valid. */
  readonly mayUse: (queue: string) => boolean;

  constructor({ id, name, keySpace, expires, rights, queues }: CallerFacts) {
    this.id = id;
    this.name = name;
    this.keySpace = keySpace;
    this.expires = expires;
    this.rights = rights;
    this.queues = queues;
    this.#rights = new Set(rights);
    this.mayUse = queuePatterns(queues);
  }

  /** What the caller is made of, for records that outlast the request. */
  get facts(): CallerFacts {
    const { id, name, keySpace, expires, rights, queues } = this;
    return { id, name, keySpace, expires, rights, queues };
  }

  may(right: Right): boolean {
    return this.#rights.has(right) || this.#rights.has('admin');
  }

  /** Undefined where every queue may be used: nothing need be left out then. */
  get onlyQueues(): ((queue: string) => boolean) | undefined {
    return this.queues === null ? undefined : this.mayUse;
  }

  /** @throws MissingRightError */
  require(right: Right): void {
    if (!this.may(right)) throw new MissingRightError(right);
  }

  /** @throws DomainError `forbidden`, which does not say whether the queue exists. */
  requireQueue(queue: string): void {
    if (!this.mayUse(queue)) {
      throw new DomainError('forbidden', 'This token may not use this queue');
    }
  }

  /** @throws DomainError `forbidden` for a caller that is limited to some queues. */
  requireAllQueues(): void {
    if (this.queues !== null) {
      throw new DomainError('forbidden', 'This token may not use all queues');
    }
  }
}

/** The caller of routes that need no API token. */
export const NOBODY = new Caller({
  id: '',
  name: '',
  keySpace: '',
  expires: null,
  rights: [],
  queues: ['!*'],
});

/** The caller lacks a right that the call needs. */
export class MissingRightError extends DomainError {
  constructor(readonly right: Right) {
    super('forbidden', `This token lacks the right ${right}`);
  }
}

import { DomainError } from '../errors.ts';
import { queuePatterns } from './queue-patterns.ts';
import type { TokenLimits } from './token-limits.ts';
import type { Right } from './right.ts';

/** What a token may do, on which queues. */
export interface Access {
  readonly rights: readonly Right[];
  /** Patterns such as `mail-*` and `!mail-vip`; null for all queues. */
  readonly queues: readonly string[] | null;
}

/** How a caller proved who it is: with a token, with the session of a browser, or with the token of an issuer. */
export type Via = 'token' | 'session' | 'jwt';

/** The session of a caller that is a browser. */
export interface CallerSession {
  readonly id: string;
  /** SHA-256 of what its cookie holds, in hex of lower case. */
  readonly sha256: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

export interface CallerFacts extends Access {
  /** Distinguishes tokens. It stays when a token is replaced by a new one. */
  readonly id: string;
  readonly name: string;
  /** What the idempotency keys of the caller belong to. */
  readonly keySpace: string;
  /** Epoch ms; null for a token without an end. */
  readonly expires: number | null;
  /** `token` unless given. */
  readonly via?: Via;
  /** Null or absent for what the service allows to all. */
  readonly limits?: TokenLimits | null;
  readonly session?: CallerSession;
  /** SHA-256 (hex, lower case) of the secret that the caller gave, of a token that may have two for a time. */
  readonly secret?: string;
}

/** The holder of a token that authentication accepted (platform contract, section 11). */
export class Caller {
  readonly id: string;
  readonly name: string;
  readonly keySpace: string;
  readonly expires: number | null;
  readonly rights: readonly Right[];
  readonly queues: readonly string[] | null;
  readonly via: Via;
  readonly session: CallerSession | undefined;
  readonly limits: TokenLimits | null;
  readonly secret: string | undefined;
  readonly #rights: ReadonlySet<Right>;
  /** Whether the caller may use the queue of a name, which need not be valid. */
  readonly mayUse: (queue: string) => boolean;

  constructor(facts: CallerFacts) {
    const { id, name, keySpace, expires, rights, queues } = facts;
    const { via = 'token', session, limits = null, secret } = facts;
    this.id = id;
    this.name = name;
    this.keySpace = keySpace;
    this.expires = expires;
    this.rights = rights;
    this.queues = queues;
    this.via = via;
    this.session = session;
    this.limits = limits;
    this.secret = secret;
    this.#rights = new Set(rights);
    this.mayUse = queuePatterns(queues);
  }

  /** What the caller is made of, for records that outlast the request. */
  get facts(): CallerFacts {
    const { id, name, keySpace, expires, rights, queues, via, session, limits, secret } = this;
    return {
      ...{ id, name, keySpace, expires, rights, queues, via, limits },
      ...(session && { session }),
      ...(secret !== undefined && { secret }),
    };
  }

  /** The same holder, in a browser that is signed in. */
  inSession(session: CallerSession): Caller {
    return new Caller({ ...this.facts, via: 'session', session });
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

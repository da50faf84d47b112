import { DomainError } from '../errors.ts';
import { includesSome, NO_QUEUES, queuePatterns } from './queue-patterns.ts';
import type { TokenLimits } from './token-limits.ts';
import type { Right } from './right.ts';

/** What a token may do, and on which queues. */
export interface Access {
  readonly rights: readonly Right[];
  /** Patterns such as `mail-*` and `!mail-vip`; null for all queues. */
  readonly queues: readonly string[] | null;
}

/** How a caller authenticated: with a token, a browser session, the sign-in of a person, or an issuer's token. */
export const VIAS = ['token', 'session', 'sign-in', 'jwt'] as const;

export type Via = (typeof VIAS)[number];

/** The session of a caller that is a browser. */
export interface CallerSession {
  readonly id: string;
  /** SHA-256 of the cookie value, in lowercase hex. */
  readonly sha256: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** A token that made another one, whose requests count against the limits of both. */
export interface Ancestor {
  readonly id: string;
  readonly limits: TokenLimits | null;
}

const NO_ANCESTORS: readonly Ancestor[] = [];

export interface CallerFacts extends Access {
  /** Identifies the token. It stays the same when the token is replaced by a new one. */
  readonly id: string;
  readonly name: string;
  /** The scope of the idempotency keys of the caller. */
  readonly keySpace: string;
  /** Epoch ms; null for a token that never expires. */
  readonly expires: number | null;
  /** `token` unless given. */
  readonly via?: Via;
  /** Null or absent for the default limits of the service. */
  readonly limits?: TokenLimits | null;
  /** The networks that the token works from, in CIDR notation; null or absent for all. */
  readonly addresses?: readonly string[] | null;
  /** The token that made this one, the token that made that one, and so on; none unless given. */
  readonly ancestors?: readonly Ancestor[];
  readonly session?: CallerSession;
  /** Identifies a person at the issuer where they signed in. */
  readonly subject?: string;
  /** SHA-256 (lowercase hex) of the secret that the caller sent; a token may have two valid secrets for a while. */
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
  readonly subject: string | undefined;
  readonly limits: TokenLimits | null;
  readonly addresses: readonly string[] | null;
  readonly ancestors: readonly Ancestor[];
  readonly secret: string | undefined;
  readonly #rights: ReadonlySet<Right>;
  /** Whether the caller may use the queue with this name. The name need not be valid. */
  readonly mayUse: (queue: string) => boolean;

  constructor(facts: CallerFacts) {
    const { id, name, keySpace, expires, rights, queues } = facts;
    const { via = 'token', session, subject, limits = null, secret } = facts;
    const { addresses = null, ancestors = NO_ANCESTORS } = facts;
    this.id = id;
    this.name = name;
    this.keySpace = keySpace;
    this.expires = expires;
    this.rights = rights;
    this.queues = queues;
    this.via = via;
    this.session = session;
    this.subject = subject;
    this.limits = limits;
    this.addresses = addresses;
    this.ancestors = ancestors;
    this.secret = secret;
    this.#rights = new Set(rights);
    this.mayUse = queuePatterns(queues);
  }

  /** The data that makes up the caller, for records that outlast the request. */
  get facts(): CallerFacts {
    const { id, name, keySpace, expires, rights, queues, via, session, limits, secret } = this;
    const { addresses, ancestors, subject } = this;
    return {
      ...{ id, name, keySpace, expires, rights, queues, via, limits, addresses, ancestors },
      ...(session && { session }),
      ...(subject !== undefined && { subject }),
      ...(secret !== undefined && { secret }),
    };
  }

  /** The same holder, in a browser session. */
  inSession(session: CallerSession): Caller {
    return new Caller({ ...this.facts, via: 'session', session });
  }

  may(right: Right): boolean {
    return this.#rights.has(right) || this.#rights.has('admin');
  }

  /** Undefined when the caller may use all queues, so that nothing has to be filtered. */
  get onlyQueues(): ((queue: string) => boolean) | undefined {
    return this.queues === null ? undefined : this.mayUse;
  }

  /** Patterns of the queues for which the caller has the right, null for all. */
  queuesFor(right: Right): readonly string[] | null {
    return this.may(right) ? this.queues : NO_QUEUES;
  }

  /** @throws MissingRightError */
  require(right: Right): void {
    if (!this.may(right)) throw new MissingRightError(right);
  }

  /** @throws DomainError `forbidden`, which does not reveal whether the queue exists. */
  requireQueue(queue: string): void {
    if (!this.mayUse(queue)) {
      throw new DomainError('forbidden', 'This token may not use this queue');
    }
  }

  /** @throws DomainError `forbidden` for a pattern of queues of which the caller may use none. */
  requireSomeQueue(pattern: string): void {
    if (!includesSome(this.queues, pattern)) {
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

/** Holders of no API token. */
const UNKNOWN = { id: '', name: '', keySpace: '', expires: null };

/** The caller of routes that need no API token. */
export const NOBODY = new Caller({ ...UNKNOWN, rights: [], queues: NO_QUEUES });

/** Who holds a job, and may see what is kept of it. The token is checked where it is used. */
export const HOLDER = new Caller({ ...UNKNOWN, rights: ['read', 'data'], queues: null });

/** The caller lacks a right that the call needs. */
export class MissingRightError extends DomainError {
  constructor(readonly right: Right) {
    super('forbidden', `This token lacks the right ${right}`);
  }
}

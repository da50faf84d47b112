/** What can go wrong in the core. Every inbound adapter maps each code to its own protocol. */
export type DomainErrorCode =
  | 'invalid-request'
  | 'request-too-large'
  | 'unauthorized'
  | 'forbidden'
  | 'job-not-found'
  | 'job-conflict'
  | 'idempotency-key-in-use'
  | 'idempotency-key-reused'
  | 'deduplication-not-found'
  | 'message-not-in-flight'
  | 'receipt-expired'
  | 'queue-empty'
  | 'queue-not-found'
  | 'group-not-found'
  | 'queue-active'
  | 'queue-taken'
  | 'queue-full'
  | 'limit-reached'
  | 'token-not-found'
  | 'session-not-found'
  | 'token-fixed'
  | 'worker-not-found'
  | 'worker-unsigned'
  | 'worker-unreadable'
  | 'worker-without-url'
  | 'no-encryption-key'
  | 'too-many-secrets'
  | 'too-many-workers'
  | 'policy-not-found'
  | 'policy-in-use'
  | 'hook-not-found'
  | 'delivery-not-found'
  | 'callback-not-found'
  | 'too-many-hooks'
  | 'limit-not-found'
  | 'limit-in-use'
  | 'too-many-limits'
  | 'hook-unsigned'
  | 'hook-unreadable'
  | 'signal-not-found'
  | 'step-not-found'
  | 'scheduler-not-found'
  | 'too-many-schedulers'
  | 'too-many-tokens'
  | 'too-many-groups'
  | 'too-many-settings'
  | 'topic-not-found'
  | 'url-group-not-found'
  | 'too-many-url-groups'
  | 'subscription-not-found'
  | 'too-many-topics'
  | 'issuer-unavailable'
  | 'no-sign-in'
  | 'no-backup'
  | 'backup-running'
  | 'store-unavailable'
  | 'store-full'
  | 'memory-full';

interface ErrorDetails extends ErrorOptions {
  readonly field?: string | undefined;
  readonly mayBeStored?: boolean;
}

/** A failure that is reported to the client. The message is written for the client and names the field. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  /** The path of the (first) error, such as `[3].opts.priority`, if it has one. */
  readonly field: string | undefined;
  /** Whether the change may be stored after all, as a whole or not at all. Without it, a failure stored nothing. */
  readonly mayBeStored: boolean;

  constructor(
    readonly code: DomainErrorCode,
    message: string,
    { field, mayBeStored = false, ...options }: ErrorDetails = {},
  ) {
    super(message, options);
    this.field = field;
    this.mayBeStored = mayBeStored;
  }
}

/** The codes of errors that no client has caused, besides that of an error without a code. */
const FAULTS: ReadonlySet<string> = new Set([
  'internal-error',
  'issuer-unavailable',
  'memory-full',
  'store-full',
  'store-unavailable',
] satisfies (DomainErrorCode | 'internal-error')[]);

/** Whether the service, and not its client, is the cause of an error with the code. */
export function isFault(code: string): boolean {
  return FAULTS.has(code);
}

export function invalidRequest(message: string, field?: string): DomainError {
  return new DomainError('invalid-request', message, { field });
}

type Missing<Code> = Code extends `${infer Thing}-not-found` ? Thing : never;

/** The error of a call about something that is not there. */
export function notFound(thing: Missing<DomainErrorCode>): DomainError {
  // The specification has no word for the queue.
  const message = thing === 'queue' ? 'Not found' : `${thing.replaceAll('-', ' ')} not found`;
  return new DomainError(`${thing}-not-found`, message.charAt(0).toUpperCase() + message.slice(1));
}

/** What was looked for. @throws DomainError when there is none. */
export function existing<Value>(found: Value | undefined, thing: Missing<DomainErrorCode>): Value {
  if (found === undefined) throw notFound(thing);
  return found;
}

/** The request is well formed but exceeds the limits of a single request. */
export function requestTooLarge(message: string): DomainError {
  return new DomainError('request-too-large', message);
}

/**
 * The store could not be reached, or refused to work, and stores nothing of the change (platform contract, section 15).
 * The cause is never reported to clients.
 */
export function storeUnavailable(cause: unknown): DomainError {
  return new DomainError('store-unavailable', 'The store is unavailable, try again later', {
    cause,
  });
}

/** The server of the store has no memory left, and nothing is stored of what would take some. */
export function storeOutOfMemory(cause: unknown): DomainError {
  const message = 'The memory of the store is used up; remove jobs or give the store more';
  return new DomainError('store-unavailable', message, { cause });
}

/** The connection to the store broke in the commit: the change is stored as a whole or not at all. */
export function storedOrNot(cause: unknown): DomainError {
  return new DomainError(
    'store-unavailable',
    'The store is unavailable, and the change may be stored',
    { cause, mayBeStored: true },
  );
}

/** The disk of the embedded store is full (platform contract, section 15). @param works what can be done nevertheless. */
export function storeFull(works: string): DomainError {
  return new DomainError('store-full', `STORE_PATH is full: ${works}; free space on its disk`);
}

/** The memory that keeps the jobs is full (platform contract, section 15). @param memory in bytes. */
export function memoryFull({
  used,
  limit,
}: Readonly<Record<'used' | 'limit', number>>): DomainError {
  const megabytes = [used, limit].map((bytes) => Math.round(bytes / 1_048_576)).join(' of ');
  const message = `The memory is full: ${megabytes} MB; remove jobs or give the process more`;
  return new DomainError('memory-full', message);
}

/** A cause that may be shown to every client: its message contains no secret, address or client data. */
export class PublicCause extends Error {}

/** A number with its unit, as people write it: `1 job`, `2 jobs`. */
export function counted(count: number, unit: string): string {
  return `${count} ${count === 1 ? unit : `${unit}s`}`;
}

/** The error of an add that would exceed the limit of waiting jobs of the queue. */
export function queueFull(maxWaiting: number): DomainError {
  const message = `The queue is full: at most ${counted(maxWaiting, 'job')} may wait (maxWaiting of the policy)`;
  return new DomainError('queue-full', message);
}

/**
 * @param path of the options of the first job that does not fit into its group.
 * @param waiting how many jobs of the group wait, including earlier ones of the same call.
 */
export function groupFull(path: string, group: string, waiting: number): DomainError {
  return new DomainError(
    'queue-full',
    `${path}.group ${group} has ${counted(waiting, 'waiting job')}`,
  );
}

/** The messages of refusals, by the things of which there are as many as there may be. */
const TOO_MANY = {
  signals: (most: number) => `The queue keeps ${most} signals already`,
  schedulers: (most: number) => `The queue has ${most} schedulers, the most that a queue may have`,
  workers: (most: number) =>
    `There ${most === 1 ? 'is' : 'are'} ${counted(most, 'worker')}, the most that the service has: remove some first`,
  hooks: (most: number) => `There are ${most} hooks`,
  limits: (most: number) => `There are ${most} limits`,
  topics: (most: number) => `There are ${most} topics`,
  subscriptions: (most: number) => `The topic has ${most} subscriptions`,
  'url-groups': (most: number) => `There are ${most} URL groups`,
  tokens: (most: number) =>
    `There are ${most} tokens, the most that the API makes: revoke some first`,
  groups: (most: number) =>
    `${most} groups of the queue have settings of their own, are paused or are held: free some first`,
  settings: (most: number) =>
    `The sets have ${most} settings, the most that they have together: take some out first`,
};

export type Bounded = keyof typeof TOO_MANY;

/** The codes that are not named after what there are too many of. */
const OTHER_CODES: Partial<Record<Bounded, DomainErrorCode>> = {
  signals: 'limit-reached',
  subscriptions: 'too-many-topics',
};

/** @param most how many there may be. */
export function tooMany(things: Bounded, most: number): DomainError {
  const code = OTHER_CODES[things] ?? (`too-many-${things}` as DomainErrorCode);
  return new DomainError(code, TOO_MANY[things](most));
}

export function isQueueFull(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'queue-full';
}

/** Whether a change failed that may be stored after all. */
export function mayBeStored(error: unknown): boolean {
  return error instanceof DomainError && error.mayBeStored;
}

/** The error of a step before a change: whatever became of the step, nothing of the change is stored. */
export function beforeChange(error: unknown): unknown {
  return mayBeStored(error) ? storeUnavailable(error) : error;
}

/** The error of a step after others of the same change that are stored. */
export function afterChange(error: unknown): unknown {
  return isStoreUnavailable(error) ? storedOrNot(error) : error;
}

/** Whether a token holds nothing of what it was sent for. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'unauthorized';
}

/** Whether the store takes no changes for now, for whatever reason: the same may succeed later. */
export function isStoreUnavailable(error: unknown): error is DomainError {
  if (!(error instanceof DomainError)) return false;
  return ['store-unavailable', 'store-full', 'memory-full'].includes(error.code);
}

/** The path at the start of a message, such as `[0].opts.priority must be …`. */
const PATH = /^(?:\[\d+\](?:\.\w+|\[\d+\])*|[A-Za-z_]\w*(?:\.\w+|\[\d+\])+)(?= )/;

/** A field of the body itself. Other messages begin with words, such as `Job is completed`. */
const NAME = /^[A-Za-z_]\w*(?= (?:must|is|may|cannot|has)\b)/;

/** An answer that is not 2xx, or no answer: then `status` is 0 and `cause` is the network's error. */
export class JobgateError extends Error {
  override readonly name = 'JobgateError';
  readonly status: number;
  /** The RFC 9457 object in the answer. */
  readonly problem: Readonly<Record<string, unknown>> | undefined;
  /** The path of the first invalid field. */
  readonly field: string | undefined;

  constructor(
    message: string,
    status: number,
    problem?: Readonly<Record<string, unknown>>,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.status = status;
    this.problem = problem;
    this.field = (PATH.exec(message) ?? (status === 400 ? NAME.exec(message) : null))?.[0];
  }
}

/** The error of an add of one job: its message and its field name no place in an array. */
export function errorOfOneJob(error: unknown): unknown {
  if (!(error instanceof JobgateError)) return error;
  const { message, status, problem, cause } = error;
  return new JobgateError(message.replace(/^\[0\]\./gm, ''), status, problem, cause);
}

/** The error of a call without a valid signature. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** Thrown by a handler: the job fails for good, regardless of `attempts`. */
export class Fail extends Error {
  override readonly name = 'Fail';
}

/** Thrown by a handler: the attempt fails, and the next one starts no earlier than after `after` ms. */
export class Retry extends Error {
  override readonly name = 'Retry';
  readonly after: number | undefined;

  constructor(reason: string, { after }: { readonly after?: number } = {}) {
    super(reason);
    this.after = after;
  }
}

/** Thrown by a handler: the job is deferred for `after` ms, without using up an attempt. */
export class NotNow extends Error {
  override readonly name = 'NotNow';
  readonly after: number;
  readonly hold: 'queue' | 'job' | 'group' | undefined;

  constructor({
    after,
    hold,
  }: {
    readonly after: number;
    readonly hold?: 'queue' | 'job' | 'group';
  }) {
    super('Not now');
    this.after = after;
    this.hold = hold;
  }
}

export function messageOf(error: unknown): string {
  return (error as Partial<Error> | undefined)?.message ?? String(error);
}

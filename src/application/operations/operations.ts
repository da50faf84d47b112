import type { Caller } from '../../domain/access/caller.ts';
import { rightOf } from '../../domain/access/required-access.ts';
import { FRESH_SESSION } from '../../domain/access/session.ts';
import type { AuditDetail, AuditTarget } from '../../domain/audit/audit-entry.ts';
import { DomainError } from '../../domain/errors.ts';
import { isObject } from '../../domain/values/json.ts';
import { oneLine } from '../../domain/values/text.ts';
import type { Audit, AuditedCall } from '../audit/audit.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { Operation, OperationTerms } from './operation.ts';
import type { AuditMark, Way } from './way.ts';

/** The names that a call gives before the rest of its input is read, as the fields of inputs. */
export type Place = Readonly<Record<string, string>>;

export interface OperationsDependencies {
  readonly audit: Pick<Audit, 'begin' | 'complete' | 'forget' | 'refused'>;
  readonly clock: Pick<ClockPort, 'now'>;
  readonly logger: LoggerPort;
}

/**
 * Performs operations for the ways in. What holds for every call is decided here and nowhere else: right, queues,
 * limits, audit, log and view, in this order (platform contract, section 11).
 */
export class Operations {
  readonly #audit: OperationsDependencies['audit'];
  readonly #clock: Pick<ClockPort, 'now'>;
  readonly #logger: LoggerPort;

  constructor({ audit, clock, logger }: OperationsDependencies) {
    this.#audit = audit;
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * Refuses a caller before the rest of its input is read, and records that. The right goes before the queue, and both
   * before anything that the store knows: a refusal does not reveal whether a queue exists.
   *
   * @param isGiven whether the input will have the field, for fields that require a right.
   * @throws DomainError `forbidden`.
   */
  admit(
    terms: OperationTerms,
    way: Way,
    place: Place,
    isGiven: (field: string) => boolean,
  ): void | Promise<void> {
    try {
      this.#check(terms, way.caller, place['queue'], isGiven);
    } catch (error) {
      return this.refuse(terms, way, place, error);
    }
  }

  /** Records a call that is refused with an error, and throws that error. */
  async refuse(terms: OperationTerms, way: Way, input: unknown, error: unknown): Promise<never> {
    const call = auditedCall(terms, way, input);
    way.audited(marked(call));
    await this.#audit.refused(call);
    throw error;
  }

  /**
   * Performs an operation.
   *
   * @param isAdmitted whether `admit` let the caller in, whose right need not be checked again.
   * @returns what the caller may see of the result.
   * @throws DomainError
   */
  async perform<Input, Answer>(
    operation: Operation<Input, Answer>,
    way: Way,
    input: Input,
    isAdmitted = false,
  ): Promise<Answer> {
    const { caller } = way;
    try {
      this.#require(operation, caller, input, isAdmitted);
    } catch (error) {
      return this.refuse(operation, way, input, error);
    }
    if (operation.jobsOf !== undefined) {
      const counted = way.count('jobs', operation.jobsOf(input));
      if (counted !== undefined) await counted;
    }
    if (operation.action !== undefined) return this.#audited(operation, way, input);
    try {
      return operation.view(await operation.perform(input, way), caller);
    } catch (error) {
      if (isForbidden(error)) return this.refuse(operation, way, input, error);
      throw error;
    }
  }

  async #audited<Input, Answer>(
    operation: Operation<Input, Answer>,
    way: Way,
    input: Input,
  ): Promise<Answer> {
    const { report } = operation;
    const call = auditedCall(operation, way, input);
    const entry = await this.#audit.begin(call);
    let result: unknown;
    try {
      result = await operation.perform(input, way);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'invalid-request') {
        await this.#audit.forget(entry);
      } else {
        way.audited(marked(call));
        const outcome = isForbidden(error) ? 'refused' : 'failed';
        await this.#audit.complete(entry, { outcome, code: codeOf(error), detail: {} });
      }
      throw error;
    }
    if (isDryRun(input) || report?.hasChanged?.(result, input) === false) {
      await this.#audit.forget(entry);
    } else {
      way.audited(marked(call));
      const fields = report?.fields?.(result, input) ?? {};
      const token = report?.tokenMade?.(result);
      const target = token === undefined ? entry.target : { ...entry.target, token };
      await this.#audit.complete(
        { ...entry, target },
        { outcome: 'ok', code: null, detail: fields },
      );
      const { queue } = entry.target;
      this.#logger.info(report?.line ?? operation.id, {
        requestId: way.requestId,
        ...(queue !== undefined && { queue }),
        ...fields,
        ...marked(call),
      });
    }
    return operation.view(result, way.caller);
  }

  #require<Input>(
    operation: Operation<Input, unknown>,
    caller: Caller,
    input: Input,
    isAdmitted: boolean,
  ): void {
    if (!isAdmitted) {
      const given = fieldsOf(input);
      const isGiven = (field: string): boolean => given[field] !== undefined;
      this.#check(operation, caller, textOf(given['queue']), isGiven);
    }
    if (operation.rightsOf !== undefined) {
      for (const right of operation.rightsOf(input)) caller.require(right);
    }
    if (operation.queuesOf !== undefined) {
      for (const named of operation.queuesOf(input)) caller.requireQueue(named);
    }
  }

  #check(
    { access, orRight, andRight, ...terms }: OperationTerms,
    caller: Caller,
    queue: string | undefined,
    isGiven: (field: string) => boolean,
  ): void {
    // Who holds a job, or nobody at all, is none of the callers with rights.
    if (access === 'job-token' || access === 'nothing') return;
    const { needsAllQueues, needsFreshSession, fieldRights } = terms;
    if (needsFreshSession === true) this.#requireFreshSession(caller);
    const right = rightOf(access);
    const hasOther = orRight !== undefined && caller.may(orRight);
    if (right !== undefined && !hasOther) caller.require(right);
    if (andRight !== undefined) caller.require(andRight);
    if (fieldRights !== undefined) {
      for (const [field, needed] of Object.entries(fieldRights)) {
        if (isGiven(field)) caller.require(needed);
      }
    }
    if (queue !== undefined) caller.requireQueue(queue);
    if (needsAllQueues === true) caller.requireAllQueues();
  }

  #requireFreshSession({ session }: Caller): void {
    if (session !== undefined && this.#clock.now() - session.createdAt >= FRESH_SESSION) {
      throw new DomainError('forbidden', 'Sign in again');
    }
  }
}

const NO_FIELDS: Readonly<Record<string, unknown>> = {};

function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return isObject(input) ? input : NO_FIELDS;
}

/** Whether a call asks only what it would change: it is neither logged nor recorded. */
function isDryRun(input: unknown): boolean {
  const { dryRun, order } = fieldsOf(input);
  return dryRun === true || fieldsOf(order)['dryRun'] === true;
}

/** The entry of a call in the audit, without its outcome. */
function auditedCall(
  operation: OperationTerms,
  { caller, address, requestId }: Way,
  input: unknown,
): AuditedCall {
  return {
    caller,
    address,
    action: operation.action ?? `request.${operation.id}`,
    target: targetOf(operation, input),
    detail: detailOf(operation, input),
    requestId,
  };
}

/** The fields of a target, by those of inputs, which all name them alike. */
const TARGETS = {
  queue: 'queue',
  jobId: 'job',
  schedulerId: 'scheduler',
  hook: 'hook',
  limit: 'limit',
  topic: 'topic',
  subscription: 'subscription',
  tokenId: 'token',
} as const;

/** What a call is about. */
function targetOf({ isAboutWorker = false }: OperationTerms, input: unknown): AuditTarget {
  const given = fieldsOf(input);
  const target: Partial<Record<keyof AuditTarget, string>> = {};
  for (const [name, field] of Object.entries(TARGETS)) {
    const value = textOf(given[name]);
    if (value !== undefined) target[field] = value;
  }
  return isAboutWorker && target.queue !== undefined ? { ...target, worker: target.queue } : target;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The actions by which a person stops something, and may say why. */
const STOPS = /\.(?:pause|hold|disable)$|^hook\.save$/;

/**
 * The names of the fields of an order, the origin of the URL that it sets and, where it stops something, the reason; for
 * a repair, its filter, which contains no data of jobs.
 */
function detailOf({ auditedOf, action = '' }: OperationTerms, input: unknown): AuditDetail {
  const order = fieldsOf(input)['order'];
  if (!isObject(order)) return {};
  const fields = Object.keys(order);
  const { filter, reason, url, endpoint, opts } = order;
  const set = url ?? fieldsOf(endpoint ?? fieldsOf(opts)['endpoint'])['url'];
  const kept = auditedOf?.(order) ?? {
    ...(fields.length > 0 && { fields }),
    ...(isObject(filter) && { filter }),
  };
  return {
    ...kept,
    ...(STOPS.test(action) && typeof reason === 'string' && { reason: oneLine(reason.trim()) }),
    ...(typeof set === 'string' && URL.canParse(set) && { origin: new URL(set).origin }),
  };
}

function marked({ action, caller }: AuditedCall): AuditMark {
  return { audit: true, action, who: caller.name, tokenId: caller.id };
}

function isForbidden(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'forbidden';
}

/** What the audit keeps of an error. */
function codeOf(error: unknown): string {
  return error instanceof DomainError ? error.code : 'internal-error';
}

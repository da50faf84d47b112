import type { Caller } from '../../domain/access/caller.ts';
import type { RequiredAccess } from '../../domain/access/required-access.ts';
import type { Right } from '../../domain/access/right.ts';
import type { Unseen } from '../../domain/access/visible.ts';
import type { AuditDetail } from '../../domain/audit/audit-entry.ts';
import type { DomainErrorCode } from '../../domain/errors.ts';
import type { LogFields } from '../ports/logger-port.ts';
import type { InputParts, Part } from './input.ts';
import type { Out } from './out.ts';
import type { Way } from './way.ts';

/**
 * What holds of an operation before anything is known of its input but its names: whoever lacks the right learns
 * nothing else.
 */
interface Terms {
  readonly access: RequiredAccess;
  /** Alternative right to the one that `access` names. */
  readonly orRight?: Right;
  /** Whether the holder of the job may do so too, by the token of its attempt. */
  readonly orHolder?: boolean;
  /** A right that is needed beside the one that `access` names. */
  readonly andRight?: Right;
  /** The action that the audit records, as `<thing>.<verb>`; for operations that change something. */
  readonly action?: string;
  /** Whether it is about the worker of its queue. */
  readonly isAboutWorker?: boolean;
  /** Whether it concerns all queues: callers that are limited to some queues are refused. */
  readonly needsAllQueues?: boolean;
  /** Whether the session of a browser must be at most a few minutes old. */
  readonly needsFreshSession?: boolean;
  /** What the audit keeps of the order, where its filter holds data of jobs. */
  readonly auditedOf?: (order: Readonly<Record<string, unknown>>) => AuditDetail;
  /** The additional rights that some fields of the input require. */
  readonly fieldRights?: Readonly<Record<string, Right>>;
}

/** What the catalogue adds to each of its operations. */
export interface Named {
  /** The name of the operation, in the OpenAPI document and in generated clients. */
  readonly id: string;
}

/** The terms of an operation that has its name. */
export type OperationTerms = Terms & Named;

interface Rules<Input> {
  /** How many jobs the input adds, for operations that count against the limit of jobs. */
  jobsOf?(input: Input): number;
  /** The queues that the input names, besides its own `queue`: the caller must be allowed to use all of them. */
  queuesOf?(input: Input): Iterable<string>;
  /** The rights that the input requires, besides that of the operation. */
  rightsOf?(input: Input): Iterable<Right>;
}

/** What the log says about a change at its default level, and the audit with it. */
interface Report<Input, Result> {
  readonly line: string;
  /** What is reported besides the names of the input, such as how many jobs were changed. */
  fields?(result: Result, input: Input): LogFields & AuditDetail;
  /** The id of the token that was made. */
  tokenMade?(result: Result): string;
  /** False for a call that changed nothing, as for a dry run: it is neither logged nor recorded. */
  hasChanged?(result: Result, input: Input): boolean;
}

/**
 * One thing that callers can have the service do, whichever way they come in. Everything about it that is not the way
 * itself stands here, but for its name.
 */
interface Unnamed<Input, Answer> extends Terms, Rules<Input> {
  readonly report?: Report<Input, unknown>;
  /** @throws DomainError */
  perform(input: Input, way: Way): unknown;
  /** What the caller may see of a result. */
  view(result: unknown, caller: Caller): Answer;
}

export type Operation<Input, Answer> = Unnamed<Input, Answer> & Named;

/** What clients are told of an operation, and what its way in needs to know of its input and its answer. */
export interface Documentation {
  readonly summary: string;
  /** Anything else that a reader should know, in a sentence or two. */
  readonly description: string;
  readonly in: Readonly<Record<string, Part<unknown>>>;
  readonly out: Out;
  /** Errors besides those that all operations of the same kind have. */
  readonly errors?: readonly DomainErrorCode[];
}

/** An operation that clients find in the documentation. */
export type DocumentedOperation<Input, Answer> = Operation<Input, Answer> & Documentation;

interface Definition<Input, Result> extends Terms, Rules<Input> {
  readonly report?: Report<Input, Result>;
  perform(input: Input, way: Way): Result | Promise<Result>;
}

interface DocumentedDefinition<Input, Result>
  extends Definition<NoInfer<Input>, Result>, Documentation {
  readonly in: InputParts<Input>;
}

interface View<Result, Answer> {
  view(result: Result, caller: Caller): Answer;
}

interface NoView {
  readonly view?: never;
}

/** Demands a property that no definition has, of an answer with values of jobs that passed no view. */
type Seen<Answer> = [Unseen<Answer>] extends [never]
  ? unknown
  : { readonly valuesWithoutView: Unseen<Answer> };

/**
 * Declares an operation. A result that holds values of jobs needs a `view`, which decides what each caller sees of
 * them (platform contract, section 11). Its input follows from `in`.
 */
export function operation<Input, Result, Answer>(
  definition: DocumentedDefinition<Input, Result> & View<Result, Answer> & Seen<Answer>,
): Unnamed<Input, Answer> & Documentation;
export function operation<Input, Result>(
  definition: DocumentedDefinition<Input, Result> & NoView & Seen<Result>,
): Unnamed<Input, Result> & Documentation;
export function operation(
  definition: DocumentedDefinition<unknown, unknown> & Partial<View<unknown, unknown>>,
): Unnamed<unknown, unknown> & Documentation {
  const { view = (result: unknown) => result } = definition;
  return { ...definition, view };
}

/** Declares an operation of a way in with a documentation of its own. */
export function plainOperation<Input, Result, Answer>(
  definition: Definition<Input, Result> & View<Result, Answer> & Seen<Answer>,
): Unnamed<Input, Answer>;
export function plainOperation<Input, Result>(
  definition: Definition<Input, Result> & NoView & Seen<Result>,
): Unnamed<Input, Result>;
export function plainOperation(
  definition: Definition<unknown, unknown> & Partial<View<unknown, unknown>>,
): Unnamed<unknown, unknown> {
  const { view = (result: unknown) => result } = definition;
  return { ...definition, view };
}

import type { Operation } from '../../../../application/operations/operation.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { NotServedError } from '../wire/failure.ts';
import type { RawTarget } from '../wire/raw-target.ts';
import type { WrittenMessage } from '../fields/message-headers.ts';

/** A request as handlers see it: of a caller that is known. */
export interface QstashCall extends WrittenMessage, RawTarget {
  /** @throws DomainError */
  readonly perform: <Input, Answer>(
    operation: Operation<Input, Answer>,
    input: Input,
  ) => Promise<Answer>;
  /** @throws DomainError `invalid-request` for what is no name of a queue. */
  readonly queueNamed: (name: string) => QueueName;
}

/** An answer. */
export interface Handled {
  readonly status?: number;
  readonly result: object;
}

/** What a route does. @throws DomainError, HttpError or NotServedError */
export type Handler = (call: QstashCall) => Promise<Handled>;

/**
 * A handler that performs an operation.
 *
 * @param inputOf reads the request.
 * @param shown is the answer for a result: an empty object unless given.
 */
export function performs<Input, Answer>(
  operation: Operation<Input, Answer>,
  inputOf: (call: QstashCall) => Input,
  shown: (answer: Answer) => object = () => ({}),
): Handler {
  return async (call) => ({ result: shown(await call.perform(operation, inputOf(call))) });
}

/** A handler that lists things, by an operation without input. @param shown is the answer for one of them. */
export function lists<Thing>(
  operation: Operation<object, readonly Thing[]>,
  shown: (thing: Thing) => object,
): Handler {
  return async (call) => ({ result: (await call.perform(operation, {})).map(shown) });
}

/** A handler that says in a sentence why a part of QStash is not served. */
export function refuses(message: string): Handler {
  return () => Promise.reject(new NotServedError(message));
}

/** Handlers by method and pattern, such as `GET queues/:queue`; `*` stands for a destination. */
export type Routes = Readonly<Record<string, Handler>>;

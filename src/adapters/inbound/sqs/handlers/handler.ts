import type { Operation } from '../../../../application/operations/operation.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Members } from '../wire/members.ts';

/** A request as handlers see it: of a caller that is known, with the members of its body. */
export interface SqsCall {
  readonly members: Members;
  /** The region that the client signed for, which comes back in ARNs. */
  readonly region: string;
  /** @throws DomainError */
  readonly perform: <Input, Answer>(
    operation: Operation<Input, Answer>,
    input: Input,
  ) => Promise<Answer>;
  /** The URL of a queue, as clients of this request reach it. */
  readonly urlOf: (queue: string) => string;
  /** The queue that the request names by its URL. @throws SqsError */
  readonly queue: () => QueueName;
  /** A queue that is to be there. @throws SqsError `QueueDoesNotExist` for what is no name of a queue. */
  readonly queueNamed: (name: string) => QueueName;
}

/** A result, null for none, and what to do if it does not reach its client. */
export interface Handled {
  readonly result: object | null;
  readonly undelivered?: () => void;
}

/** What an operation of SQS does. @throws SqsError or DomainError */
export type Handler = (call: SqsCall) => Promise<Handled>;

export type Handlers = Readonly<Record<string, Handler>>;

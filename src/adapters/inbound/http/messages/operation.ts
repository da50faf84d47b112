import type { Out } from '../../../../application/operations/out.ts';
import type { JsonSchema, Shape } from '../../../../domain/values/shape.ts';
import type { ErrorCode } from '../../exchange/http-error.ts';
import { JSON_TYPE, TEXT_TYPE } from './reply.ts';

/** The parts of the interface, with what each is about. */
export const TAGS = {
  Jobs: 'Add jobs to queues, read them, and report on them while they run',
  Flows: 'Add jobs that wait for other jobs, and read their outcomes',
  Queues: 'Look at whole queues, pause, resume and empty them',
  Groups: 'Share a queue among groups of jobs, such as those of tenants',
  Schedulers: 'Have jobs made time and again',
  Workers: 'The endpoints that are called for the jobs of a queue',
  Hooks: 'Messages of the service when something is wrong, when it is over, and when jobs end',
  Limits: 'Limits that several queues share, such as that of an API which all of them call',
  Topics: 'Publish messages that become jobs of several queues',
  Settings: 'Which settings clients keep in their files',
  Events: 'Events of queues, as they happen',
  Access: 'Tokens and their rights',
  Assistants: 'Tools for language models, by the Model Context Protocol',
  Health: 'Probes for whatever runs the service',
  Metrics: 'Counts and measures of the service, for Prometheus',
  Documentation: 'The interface itself',
};

export type Tag = keyof typeof TAGS;

/** What the OpenAPI document says about a route beyond what the route itself needs. */
export interface OperationDocument {
  readonly tag: Tag;
  readonly summary: string;
  /** Anything else that a reader should know, in a sentence or two. */
  readonly description: string;
  /** The answers by status, without the errors. */
  readonly replies: Readonly<Record<number, ReplyContent>>;
  /** Errors besides those that all routes of the same kind have. */
  readonly errors?: readonly ErrorCode[];
}

/** The body of an answer. */
export interface ReplyContent {
  readonly description: string;
  /** Undefined when there is no body. */
  readonly contentType: string | undefined;
  readonly schema: JsonSchema;
  /** An alternative body as JSON. */
  readonly orJson?: JsonSchema;
}

/** A body of a type of its own. */
export type OwnContent = Pick<ReplyContent, 'contentType' | 'schema'>;

/** The body with which an answer is sent. @param own that of content which is neither JSON nor `OK`. */
export function replyContent(out: Out, own?: OwnContent): ReplyContent {
  const { description } = out;
  switch (out.kind) {
    case 'value':
      return jsonContent(out.shape, description);
    case 'done':
      return okContent(description, out.report);
    case 'nothing':
      return noContentReply(description);
    case 'content':
      if (own === undefined) throw new Error(`The content "${description}" has no type`);
      return { description, ...own };
  }
}

export function jsonContent(shape: Shape<unknown>, description: string): ReplyContent {
  return { description, contentType: JSON_TYPE, schema: shape.schema };
}

export function noContentReply(description: string): ReplyContent {
  return { description, contentType: undefined, schema: {} };
}

/**
 * The answer to every call that only makes a change: text or, for a client that accepts JSON, a JSON string. A call
 * with something to report answers with that instead.
 */
function okContent(description: string, report?: Shape<unknown>): ReplyContent {
  const schema = { type: 'string', const: 'OK' };
  const orJson = report === undefined ? schema : { anyOf: [schema, report.schema] };
  return { description, contentType: TEXT_TYPE, schema, orJson };
}

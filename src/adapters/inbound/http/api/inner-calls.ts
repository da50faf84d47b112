import { parseQueueName, type QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../../domain/values/shape.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import { parseQuery } from '../messages/query.ts';
import type { Reply } from '../messages/reply.ts';
import { checkAccess } from './access-check.ts';
import { auditedCall } from './audited-call.ts';
import { parsedBody } from './body-parsing.ts';
import type { RecordedCalls } from './recorded-calls.ts';
import { RequestCall } from './request-call.ts';
import type { InnerCall } from './route.ts';

export interface InnerCallHandling {
  readonly calls: RecordedCalls;
  readonly turns: EventLoopTurns;
  readonly queueName: Shape<QueueName>;
}

/** Performs a call of another route as part of a request, with the checks of a resource in the same order. */
export async function performInner(
  { calls, turns, queueName }: InnerCallHandling,
  outer: RequestCall,
  { route, parameters, query: texts = {}, body: value }: InnerCall,
): Promise<Reply> {
  const { arrival, response } = outer.context;
  const { address, caller, limited } = arrival;
  const { locals } = response;
  const { queue } = parameters;
  const search = `?${new URLSearchParams(texts).toString()}`;
  const record = (body?: unknown): ReturnType<typeof auditedCall> =>
    auditedCall(route, {
      caller,
      address,
      parameters,
      body,
      requestId: locals.id,
    });
  try {
    checkAccess(route, caller, queue, search);
  } catch (error) {
    await calls.refused(record(), locals);
    throw error;
  }
  const query = parseQuery(route.query === 'ignored' ? {} : (route.query ?? {}), search);
  const bytes = Buffer.from(value === undefined ? '' : JSON.stringify(value));
  const body = route.body && (await parsedBody(route.body, bytes, turns));
  if (route.jobsOf !== undefined) await limited?.count('jobs', route.jobsOf(body), locals);
  if (queue !== undefined) parseQueueName(queue, queueName);
  const perform = (): never => {
    throw new Error('An inner call has no calls of its own');
  };
  const { lastEventId, identity, context } = outer;
  const call = new RequestCall(
    { parameters, query, body, lastEventId, identity },
    { ...context, perform },
  );
  return calls.handle(route, call, record, locals);
}

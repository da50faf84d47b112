import { parseQueueName, type QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../../domain/values/shape.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import type { Exchange } from '../messages/exchange.ts';
import { parseQuery } from '../messages/query.ts';
import type { Reply } from '../messages/reply.ts';
import { checkAccess } from './access-check.ts';
import { auditedCall } from './audited-call.ts';
import { parsedBody } from './body-parsing.ts';
import type { LimitedExchange } from './limited-exchange.ts';
import type { RecordedCalls } from './recorded-calls.ts';
import type { InnerCall, RoutedCall } from './route.ts';

export interface InnerCallHandling {
  readonly calls: RecordedCalls;
  readonly turns: EventLoopTurns;
  readonly queueName: Shape<QueueName>;
}

/** The request that an inner call is part of. */
export interface OuterRequest {
  readonly call: Omit<RoutedCall, 'perform'>;
  readonly limited: LimitedExchange | undefined;
  readonly locals: Exchange;
}

/** Performs a call of another route as part of a request, in the order in which a resource checks a request. */
export async function performInner(
  { calls, turns, queueName }: InnerCallHandling,
  { call: outer, limited, locals }: OuterRequest,
  { route, parameters, query: texts = {}, body: value }: InnerCall,
): Promise<Reply> {
  const { caller, peer } = outer;
  const { queue } = parameters;
  const search = `?${new URLSearchParams(texts).toString()}`;
  const record = (body?: unknown): ReturnType<typeof auditedCall> =>
    auditedCall(route, {
      caller,
      address: peer.address,
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
  if (route.jobsOf !== undefined) await limited?.count('jobs', route.jobsOf(body));
  if (queue !== undefined) parseQueueName(queue, queueName);
  const perform = (): never => {
    throw new Error('An inner call has no calls of its own');
  };
  return calls.handle(route, { ...outer, parameters, query, body, perform }, record, locals);
}

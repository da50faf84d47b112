import type { IncomingMessage, RequestListener } from 'node:http';
import type { RequestLimits } from '../../../application/access/request-limits.ts';
import type { OperationCatalogue } from '../../../application/operation-catalogue.ts';
import type { Operation } from '../../../application/operations/operation.ts';
import type { Operations } from '../../../application/operations/operations.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type { Caller } from '../../../domain/access/caller.ts';
import { DomainError, invalidRequest } from '../../../domain/errors.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../domain/values/shape.ts';
import type { ExchangeObserver } from '../exchange/exchange-observer.ts';
import type { ExchangeResponse } from '../exchange/exchange.ts';
import { HttpError } from '../exchange/http-error.ts';
import { LimitedCallers } from '../exchange/limited-callers.ts';
import type { Peers } from '../exchange/peers.ts';
import { protocolListener } from '../exchange/protocol-listener.ts';
import { bodyLimit, checkEncoding, readBody } from '../exchange/request-body.ts';
import { ProcessHeap } from '../../shared/process-heap.ts';
import { RequestRoom } from '../exchange/request-room.ts';
import { RequestWay } from '../exchange/request-way.ts';
import { TokenHolders, type TokenSources } from '../exchange/token-holders.ts';
import { TransferBudget, UNCOUNTED_SIZE } from '../exchange/transfer-budget.ts';
import type { WholeReply } from '../exchange/whole-reply.ts';
import { checkedName } from './fields/destination.ts';
import { useSteps, type Headers } from './fields/message-headers.ts';
import type { QstashCall } from './handlers/handler.ts';
import { qstashRoutes, routeFinder } from './qstash-routes.ts';
import { failureOf, jsonReply } from './wire/failure.ts';
import { QSTASH_PATH } from './wire/raw-target.ts';

/** How many bytes of bodies and answers are kept at once, for all clients together and for one of them. */
const [CAPACITY, MOST_OF_ONE] = [134_217_728, 100_663_296];

/** What belongs to workflows. */
const OF_WORKFLOWS = /^(workflows|wait|notify)([/?]|$)/;

export interface QstashDependencies {
  readonly operations: Pick<Operations, 'perform'>;
  readonly catalogue: OperationCatalogue;
  readonly tokens: TokenSources;
  readonly limits: Pick<RequestLimits, 'limitsOf' | 'take'>;
  readonly peers: Peers;
  readonly logger: LoggerPort;
}

export interface QstashSettings {
  readonly maxBodySize: number;
  readonly queueName: Shape<QueueName>;
  /** Observes every request. */
  readonly exchanges: ExchangeObserver;
}

/**
 * The interface for programs that speak QStash (further contract, section 24), as a listener for its paths. It
 * translates: rights, limits, audit and visibility are those of the operations that it calls.
 */
export function createQstashListener(
  { operations, catalogue, tokens, limits, peers, logger }: QstashDependencies,
  { maxBodySize, queueName, exchanges }: QstashSettings,
): RequestListener {
  const find = routeFinder(qstashRoutes(catalogue));
  const limitedCallers = new LimitedCallers(limits, false);
  const budget = new TransferBudget(CAPACITY, MOST_OF_ONE);
  const room = new RequestRoom(new ProcessHeap());
  const size = bodyLimit(maxBodySize);
  const holders = new TokenHolders(tokens);

  const callerOf = async (request: IncomingMessage, address: string): Promise<Caller> => {
    const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    const caller = token && (await holders.of(token, address, request.socket));
    if (caller) return caller;
    const isInQuery = token === undefined && request.url?.includes('qstash_token=') === true;
    throw new DomainError(
      'unauthorized',
      isInQuery
        ? 'A token in the query is refused: send it in the header Authorization'
        : 'The header Authorization must be Bearer and a token of this service',
    );
  };

  const queueNamed = (name: string): QueueName => {
    const checked = checkedName(name, 'queue');
    if (queueName.accepts(checked)) return checked;
    throw invalidRequest(`The name of a queue must ${queueName.must}`);
  };

  const routeOf = ({ method = '', url = '' }: IncomingMessage) => {
    const path = url.slice(QSTASH_PATH.length);
    const found = find(`${method} ${path}`);
    if (found !== undefined) return found;
    if (OF_WORKFLOWS.test(path)) throw useSteps();
    throw new HttpError('path-not-found', 'There is nothing at this path');
  };

  const handle = async (
    request: IncomingMessage,
    response: ExchangeResponse,
    address: string,
  ): Promise<WholeReply> => {
    if (response.isEarly === true) {
      throw new HttpError('overloaded', 'The service is starting, try again later');
    }
    const caller = await callerOf(request, address);
    response.locals.caller = caller.id;
    const from = { caller, address, limited: limitedCallers.of(caller) };
    const way = new RequestWay(from, request, response, room);
    const counted = way.count('requests', 1);
    if (counted !== undefined) await counted;
    const { route, handler, target } = routeOf(request);
    response.locals.operation = route;
    checkEncoding(request);
    const body = await readBody(request, response, { size, budget });
    room.takeBody(response, body);
    const call: QstashCall = {
      ...target,
      headers: request.headers as Headers,
      body,
      address,
      perform: <Input, Answer>(operation: Operation<Input, Answer>, input: Input) =>
        operations.perform(operation, way, input),
      queueNamed,
    };
    const { status = 200, result } = await handler(call);
    const reply = jsonReply(status, result);
    const { length } = reply.body;
    if (length > UNCOUNTED_SIZE) budget.charge(response, length);
    return reply;
  };

  const terms = { route: QSTASH_PATH };
  return protocolListener({ terms, budget, handle, failureOf }, peers, logger, exchanges);
}

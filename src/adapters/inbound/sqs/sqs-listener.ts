import type { IncomingMessage, RequestListener } from 'node:http';
import type { RequestLimits } from '../../../application/access/request-limits.ts';
import type { OperationCatalogue } from '../../../application/operation-catalogue.ts';
import type { Operation } from '../../../application/operations/operation.ts';
import type { Operations } from '../../../application/operations/operations.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type { Caller } from '../../../domain/access/caller.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../domain/values/shape.ts';
import { TokenHolders, type TokenSources } from '../exchange/token-holders.ts';
import type { ExchangeObserver } from '../exchange/exchange-observer.ts';
import type { ExchangeResponse } from '../exchange/exchange.ts';
import { LimitedCallers } from '../exchange/limited-callers.ts';
import type { Peers } from '../exchange/peers.ts';
import { protocolListener, type ProtocolFailure } from '../exchange/protocol-listener.ts';
import { bodyLimit, readBody } from '../exchange/request-body.ts';
import { RequestWay } from '../exchange/request-way.ts';
import { TransferBudget, UNCOUNTED_SIZE } from '../exchange/transfer-budget.ts';
import type { WholeReply } from '../exchange/whole-reply.ts';
import { credentialOf } from './fields/credential.ts';
import { queueOfUrl, queueUrl, SQS_PATH } from './fields/queue-url.ts';
import type { SqsCall } from './handlers/handler.ts';
import { sqsHandlers } from './sqs-handlers.ts';
import { domainFailure } from './wire/domain-failure.ts';
import type { Members } from './wire/members.ts';
import { isQuery, queryRefused, readsJson } from './wire/query-protocol.ts';
import { membersIn, operationNamed } from './wire/request-members.ts';
import { missingParameter, queueDoesNotExist, SqsError } from './wire/sqs-error.ts';
import { errorReply, queryErrorReply, resultReply } from './wire/sqs-reply.ts';

/** The longest body: Python sends 1 MiB of text as 3 MiB of JSON. */
const SIZE = bodyLimit(8 * 1024 * 1024);

/** How many bytes of bodies and answers are kept at once, for all clients together and for one of them. */
const [CAPACITY, MOST_OF_ONE] = [134_217_728, 100_663_296];

const TERMS = { route: SQS_PATH, idHeader: 'x-amzn-RequestId' };

export interface SqsDependencies {
  readonly operations: Pick<Operations, 'perform'>;
  readonly messages: OperationCatalogue['messages'];
  readonly tokens: TokenSources;
  readonly limits: Pick<RequestLimits, 'limitsOf' | 'take'>;
  readonly peers: Peers;
  readonly logger: LoggerPort;
}

export interface SqsSettings {
  /** Scheme and authority of queue URLs, without a trailing slash; those of each request when absent. */
  readonly baseUrl: string | undefined;
  readonly queueName: Shape<QueueName>;
  /** Observes every request. */
  readonly exchanges: ExchangeObserver;
}

/**
 * The interface for programs that speak Amazon SQS (reach contract, section 21), as a listener for its paths. It
 * translates: rights, limits, audit and visibility are those of the operations that it calls.
 */
export function createSqsListener(
  dependencies: SqsDependencies,
  { baseUrl, queueName, exchanges }: SqsSettings,
): RequestListener {
  const { operations, messages, tokens, peers, logger } = dependencies;
  const handlers = sqsHandlers(messages);
  const limitedCallers = new LimitedCallers(dependencies.limits, false);
  const budget = new TransferBudget(CAPACITY, MOST_OF_ONE);
  const holders = new TokenHolders(tokens);

  const callerOf = async (
    token: string | undefined,
    address: string,
    connection: object,
  ): Promise<Caller> => {
    const caller = token === undefined ? undefined : await holders.of(token, address, connection);
    if (caller !== undefined) return caller;
    throw new SqsError(
      'InvalidClientTokenId',
      'The access key id must be a token of this service, and this one is none.',
    );
  };

  const baseOf = (request: IncomingMessage): string => {
    if (baseUrl !== undefined) return baseUrl;
    const scheme = peers.cameOverTls(request) ? 'https' : 'http';
    return `${scheme}://${request.headers.host ?? 'localhost'}`;
  };

  const queueNamed = (name: string): QueueName => {
    if (queueName.accepts(name)) return name;
    throw queueDoesNotExist();
  };

  const callOf = (
    request: IncomingMessage,
    members: Members,
    way: RequestWay,
    region: string,
  ): SqsCall => ({
    members,
    region,
    perform: <Input, Answer>(operation: Operation<Input, Answer>, input: Input) =>
      operations.perform(operation, way, input),
    urlOf: (queue) => queueUrl(baseOf(request), queue),
    queueNamed,
    queue: () => {
      const url = members.text('QueueUrl') ?? pathOf(request);
      const name = queueOfUrl(url);
      if (name !== undefined) return queueNamed(name);
      if (!members.has('QueueUrl')) throw missingParameter('QueueUrl');
      throw new SqsError(
        'InvalidAddress',
        `The address ${url.slice(0, 200)} is not valid for this endpoint.`,
      );
    },
  });

  const handle = async (
    request: IncomingMessage,
    response: ExchangeResponse,
    address: string,
  ): Promise<WholeReply> => {
    const { headers } = request;
    if (response.isEarly === true) {
      throw new SqsError('ServiceUnavailable', 'The service is starting, try again later.', 1000);
    }
    if (request.method !== 'POST' || isQuery(headers)) throw queryRefused();
    const credential = credentialOf(headers.authorization);
    const caller = await callerOf(credential?.token, address, request.socket);
    response.locals.caller = caller.id;
    const from = { caller, address, limited: limitedCallers.of(caller) };
    const way = new RequestWay(from, request, response);
    const counted = way.count('requests', 1);
    if (counted !== undefined) await counted;
    const name = operationNamed(headers['x-amz-target']);
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (handler === undefined) {
      throw new SqsError(
        'UnknownOperationException',
        `The operation ${name.slice(0, 100)} is not one of SQS.`,
      );
    }
    response.locals.operation = name;
    if (name === 'ReceiveMessage') budget.check(response);
    const body = await readBody(request, response, { size: SIZE, budget });
    const region = credential?.region ?? '';
    const reply = resultReply(await handler(callOf(request, membersIn(body), way, region)));
    const size = reply.body.length;
    if (size > UNCOUNTED_SIZE) budget.charge(response, size);
    return reply;
  };

  const failureOf = (
    error: unknown,
    { method, headers }: IncomingMessage,
    { locals }: ExchangeResponse,
  ): ProtocolFailure => {
    const known = domainFailure(error);
    const failure = known ?? new SqsError('InternalFailure', 'Internal server error');
    const { error: code } = failure;
    const isXml = (method !== 'POST' || isQuery(headers)) && !readsJson(headers);
    return {
      reply: isXml ? queryErrorReply(failure, locals.id) : errorReply(failure),
      code,
      isWithoutToken: code === 'InvalidClientTokenId',
      isDefect: known === undefined,
    };
  };

  return protocolListener({ terms: TERMS, budget, handle, failureOf }, peers, logger, exchanges);
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

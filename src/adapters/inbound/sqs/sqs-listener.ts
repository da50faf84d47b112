import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { RequestLimits } from '../../../application/access/request-limits.ts';
import type { MessageOperations } from '../../../application/operations/message-operations.ts';
import type { Operation } from '../../../application/operations/operation.ts';
import type { Operations } from '../../../application/operations/operations.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type { Caller } from '../../../domain/access/caller.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../domain/values/shape.ts';
import { LatestDigests } from '../../shared/latest-digests.ts';
import { holderOf, type TokenSources } from '../../shared/token-holders.ts';
import { credentialOf } from './fields/credential.ts';
import { queueOfUrl, queueUrl } from './fields/queue-url.ts';
import type { Handled, SqsCall } from './handlers/handler.ts';
import { sqsHandlers } from './sqs-handlers.ts';
import { domainFailure } from './wire/domain-failure.ts';
import type { Members } from './wire/members.ts';
import { isQuery, queryRefused, readsJson } from './wire/query-protocol.ts';
import { ByteBudget, UNCOUNTED_SIZE } from './wire/byte-budget.ts';
import { ClientLeftError, readBody } from './wire/request-body.ts';
import { membersIn, operationNamed } from './wire/request-members.ts';
import { sendReply } from './wire/send-reply.ts';
import type { ServedResponse } from './wire/served-response.ts';
import { missingParameter, queueDoesNotExist, SqsError } from './wire/sqs-error.ts';
import { SqsLog } from './wire/sqs-log.ts';
import { errorReply, queryErrorReply, resultReply, type SqsReply } from './wire/sqs-reply.ts';
import { KnownLimits, SqsWay } from './wire/sqs-way.ts';

/** The longest time (ms) without a byte of a body, where the server does not say. */
const BODY_PATIENCE = 30_000;

/** The id that the client sent is used if it is harmless in a log and a header. */
const SAFE_ID = /^[\w.:/+=@-]{1,128}$/;

/** Where requests come from, as the service sees it behind its proxies. */
export interface RequestOrigins {
  addressOf(request: IncomingMessage): string | undefined;
  cameOverTls(request: IncomingMessage): boolean;
}

export interface SqsDependencies {
  readonly operations: Pick<Operations, 'perform'>;
  readonly messages: MessageOperations;
  readonly tokens: TokenSources;
  readonly limits: Pick<RequestLimits, 'limitsOf' | 'take'>;
  readonly origins: RequestOrigins;
  readonly logger: LoggerPort;
}

export interface SqsSettings {
  /** Scheme and authority of queue URLs, without a trailing slash; those of each request when absent. */
  readonly baseUrl: string | undefined;
  readonly queueName: Shape<QueueName>;
  /** Observes every request. @param status undefined when the client left before there was an answer. */
  readonly ended: (method: string, status: number | undefined) => void;
}

/**
 * The interface for programs that speak Amazon SQS (reach contract, section 21), as a listener for its paths. It
 * translates: rights, limits, audit and visibility are those of the operations that it calls.
 */
export function createSqsListener(
  dependencies: SqsDependencies,
  { baseUrl, queueName, ended }: SqsSettings,
): RequestListener {
  const { operations, messages, tokens, origins } = dependencies;
  const handlers = sqsHandlers(messages);
  const limits = new KnownLimits(dependencies.limits);
  const budget = new ByteBudget();
  const log = new SqsLog(dependencies.logger);

  const digests = new LatestDigests();

  const callerOf = async (
    token: string | undefined,
    address: string,
    connection: object,
  ): Promise<Caller> => {
    const digest = token === undefined ? '' : digests.of(token, connection);
    const held = token === undefined ? undefined : holderOf(token, digest, address, tokens);
    const caller = held instanceof Promise ? await held : held;
    if (caller !== undefined) return caller;
    throw new SqsError(
      'InvalidClientTokenId',
      'The access key id must be a token of this service, and this one is none.',
    );
  };

  const baseOf = (request: IncomingMessage): string => {
    if (baseUrl !== undefined) return baseUrl;
    const scheme = origins.cameOverTls(request) ? 'https' : 'http';
    return `${scheme}://${request.headers.host ?? 'localhost'}`;
  };

  const queueNamed = (name: string): QueueName => {
    if (queueName.accepts(name)) return name;
    throw queueDoesNotExist();
  };

  const callOf = (
    request: IncomingMessage,
    members: Members,
    way: SqsWay,
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
    response: ServedResponse,
    exchange: SqsExchange,
  ): Promise<SqsReply> => {
    const { headers } = request;
    if (response.isEarly === true) {
      throw new SqsError('ServiceUnavailable', 'The service is starting, try again later.', 1000);
    }
    if (request.method !== 'POST' || isQuery(headers)) throw queryRefused();
    const { address } = exchange;
    const credential = credentialOf(headers.authorization);
    const caller = await callerOf(credential?.token, address, request.socket);
    const way = new SqsWay({ caller, address, requestId: exchange.id }, request, response, limits);
    exchange.way = way;
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
    exchange.operation = name;
    if (name === 'ReceiveMessage') budget.check(caller.id);
    if (headers.expect !== undefined) response.writeContinue();
    const body = await readBody(request, caller.id, budget, response.bodyPatience ?? BODY_PATIENCE);
    onceOver(response, body.release);
    const region = credential?.region ?? '';
    const handled = await handler(callOf(request, membersIn(body.bytes), way, region));
    const reply = replyOf(handled);
    const size = reply.body.length;
    if (size > UNCOUNTED_SIZE) {
      budget.charge(caller.id, size);
      onceOver(response, () => {
        budget.refund(caller.id, size);
      });
    }
    return reply;
  };

  const answer = async (
    request: IncomingMessage,
    response: ServedResponse,
    exchange: SqsExchange,
  ): Promise<void> => {
    let reply: SqsReply;
    try {
      reply = await handle(request, response, exchange);
    } catch (error) {
      if (error instanceof ClientLeftError) return;
      const failure = domainFailure(error) ?? log.defect(error, exchange);
      exchange.failure = failure;
      const isXml =
        (request.method !== 'POST' || isQuery(request.headers)) && !readsJson(request.headers);
      reply = isXml ? queryErrorReply(failure, exchange.id) : errorReply(failure);
    }
    sendReply(request, response, reply, exchange.id);
  };

  return (request, response) => {
    const exchange: SqsExchange = {
      id: requestIdOf(request),
      startedAt: performance.now(),
      address: origins.addressOf(request) ?? '',
      operation: undefined,
      way: undefined,
      failure: undefined,
    };
    response.on('close', () => {
      const status = response.headersSent ? response.statusCode : undefined;
      log.answered(exchange, status);
      ended(request.method ?? '', status);
    });
    void answer(request, response, exchange);
  };
}

/** What is known of one request besides the request itself. */
export interface SqsExchange {
  readonly id: string;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  readonly address: string;
  operation: string | undefined;
  way: SqsWay | undefined;
  failure: SqsError | undefined;
}

function replyOf({ result, undelivered }: Handled): SqsReply {
  const reply = resultReply(result);
  return undelivered === undefined ? reply : { ...reply, undelivered };
}

/** What is transferred counts until its request is over. */
function onceOver(response: ServedResponse, act: () => void): void {
  if (response.destroyed) act();
  else response.once('close', act);
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && SAFE_ID.test(sent) ? sent : randomUUID();
}

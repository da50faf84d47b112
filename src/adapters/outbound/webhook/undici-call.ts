import type { Dispatcher } from 'undici';
import type { Cancellation } from '../../../domain/calls/cancellation.ts';
import type {
  EndpointCallError,
  ReplicaShortageError,
} from '../../../application/ports/webhook-port.ts';
import type { AnswerHeaders, EndpointAnswer } from '../../../domain/calls/delivery.ts';
import { callFailed, connectionFailed, isReset, UNEXPECTED_UPGRADE } from './call-failures.ts';
import { CallLimits } from './call-limits.ts';
import type { CallMemory } from './call-memory.ts';
import { CappedBytes } from './capped-bytes.ts';
import type { ContentDecoder } from './content-decoding.ts';
import { type AnswerHead, endpointAnswer } from './endpoint-answer.ts';
import type { UndiciConnection, UndiciConnections } from './undici-connections.ts';
import type { CallTarget, WebhookRequest } from './webhook-request.ts';
import { WireBudget } from './wire-budget.ts';

export interface UndiciCallOptions {
  /** In bytes. */
  readonly maxResponseSize: number;
  readonly cancellation: Cancellation;
  readonly decoder: ContentDecoder;
  readonly memory: CallMemory;
  /** Makes the request that is sent again, for the time (ms) that is left then. */
  readonly renew: (limits: { readonly left: number }) => Promise<WebhookRequest>;
}

/** Faults for which the library has no code of their own. */
const FAULTS_BY_MESSAGE: ReadonlyMap<string, string> = new Map([
  ['bad upgrade', UNEXPECTED_UPGRADE],
  ['Response does not match the HTTP/1.1 protocol (Invalid EOF state)', 'ECONNRESET'],
]);

/**
 * One call. It settles once, and leaves its connection idle or ended. If a kept connection is reset before any byte of
 * the answer, the endpoint has most likely closed it while it was idle. The call is then sent once more over a new
 * connection, within the same time.
 */
export class UndiciCall implements Dispatcher.DispatchHandler {
  readonly #target: CallTarget;
  readonly #connections: UndiciConnections;
  readonly #options: UndiciCallOptions;
  readonly #limits: CallLimits;
  readonly #body: CappedBytes;
  readonly #budget: WireBudget;
  readonly #resolve: (answer: EndpointAnswer | Promise<EndpointAnswer>) => void;
  readonly #reject: (error: EndpointCallError | ReplicaShortageError) => void;
  #connection: UndiciConnection;
  #head: AnswerHead | undefined;
  #settled = false;

  private constructor(
    request: WebhookRequest,
    connections: UndiciConnections,
    options: UndiciCallOptions,
    resolve: (answer: EndpointAnswer | Promise<EndpointAnswer>) => void,
    reject: (error: EndpointCallError | ReplicaShortageError) => void,
  ) {
    this.#target = request.target;
    this.#connections = connections;
    this.#options = options;
    this.#connection = connections.take();
    this.#body = new CappedBytes(options.maxResponseSize);
    this.#budget = new WireBudget(options.maxResponseSize);
    this.#resolve = resolve;
    this.#reject = reject;
    this.#limits = new CallLimits(request.timeout, options.cancellation, (reason) => {
      this.#fail(reason);
    });
  }

  /** @throws EndpointCallError, ReplicaShortageError */
  static send(
    request: WebhookRequest,
    connections: UndiciConnections,
    options: UndiciCallOptions,
  ): Promise<EndpointAnswer> {
    return new Promise((resolve, reject) => {
      new UndiciCall(request, connections, options, resolve, reject).#dispatch(request);
    });
  }

  onRequestStart(): void {
    // Its presence tells the library that this handler has the methods below.
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: AnswerHeaders,
    statusText?: string,
  ): void {
    if (status < 200) {
      // The answer is still to come.
      this.#failFor(status === 101 ? UNEXPECTED_UPGRADE : this.#budget.interimAnswer());
      return;
    }
    this.#head = { status, statusText, headers };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#body.add(chunk);
    if (this.#body.exceeded && this.#answer()) void this.#connection.destroy();
  }

  onResponseEnd(): void {
    if (this.#answer()) this.#connections.release(this.#connection);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const fault = FAULTS_BY_MESSAGE.get(error.message);
    if (fault !== undefined) this.#failFor(fault);
    else if (!this.#sendAgain(error)) this.#failBy(error);
  }

  #dispatch({ headers, body }: WebhookRequest): void {
    const { path, method } = this.#target;
    // `reset: false` keeps the connection even after a GET or DELETE with a body.
    this.#connection.dispatch({ path, method, headers, body, reset: false }, this, (bytes) => {
      this.#failFor(this.#budget.received(bytes));
    });
  }

  /** @returns whether the call is sent once more; over a new connection, so there is no third time. */
  #sendAgain(error: Error): boolean {
    const mayBeStale = this.#connection.isKept && !this.#budget.isUsed && isReset(error);
    if (this.#settled || !mayBeStale || this.#limits.left === 0) return false;
    void this.#connection.destroy();
    this.#connection = this.#connections.open();
    this.#options.renew(this.#limits).then(
      (request) => {
        if (!this.#settled) this.#dispatch(request);
      },
      () => {
        this.#failBy(error);
      },
    );
    return true;
  }

  #answer(): boolean {
    if (this.#head === undefined || !this.#settle()) return false;
    const { decoder, memory } = this.#options;
    try {
      this.#resolve(endpointAnswer(this.#head, this.#body, this.#target.success, decoder, memory));
    } catch (error) {
      this.#reject(error as EndpointCallError);
    }
    return true;
  }

  #failBy(error: Error): void {
    this.#fail(connectionFailed(error, this.#target.origin, this.#connections.reached));
  }

  #failFor(fault: string | undefined): void {
    if (fault !== undefined) this.#fail(callFailed(fault, this.#target.origin));
  }

  #fail(error: EndpointCallError | ReplicaShortageError): void {
    if (!this.#settle()) return;
    this.#reject(error);
    void this.#connection.destroy();
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#limits.clear();
    return true;
  }
}

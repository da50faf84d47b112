import type { IncomingMessage } from 'node:http';
import type { AuditMark, Way } from '../../../application/operations/way.ts';
import type { TraceContext } from '../../../application/ports/tracing-port.ts';
import type { Caller } from '../../../domain/access/caller.ts';
import type { LimitedThing } from '../../../domain/access/token-limits.ts';
import type { AddIdentity } from '../../../domain/jobs/add-identity.ts';
import { COST_HEADER, reportedCost } from '../../../domain/queues/start-cost.ts';
import { clientLeft, endOfWait } from './end-of-wait.ts';
import type { ExchangeResponse } from './exchange.ts';
import type { LimitedCaller } from './limited-callers.ts';
import type { RequestRoom } from './request-room.ts';

/** The caller of a request, and where it comes from. */
export interface KnownCaller {
  readonly caller: Caller;
  readonly address: string;
  /** The caller, if the request counts against its limits. */
  readonly limited: LimitedCaller | undefined;
}

/** A request on its way in, before it is decoded. Properties that few operations read are computed on demand. */
export class RequestWay<From extends KnownCaller = KnownCaller> implements Way {
  readonly arrival: From;
  readonly request: IncomingMessage;
  readonly response: ExchangeResponse;
  identity: AddIdentity | undefined;
  protected readonly room: Pick<RequestRoom, 'takeJobs'> | undefined;

  /** @param room that many jobs need; left out where a request has few. */
  constructor(
    arrival: From,
    request: IncomingMessage,
    response: ExchangeResponse,
    room?: Pick<RequestRoom, 'takeJobs'>,
  ) {
    this.room = room;
    this.arrival = arrival;
    this.request = request;
    this.response = response;
  }

  get caller(): Caller {
    return this.arrival.caller;
  }

  get address(): string {
    return this.arrival.address;
  }

  get requestId(): string {
    return this.response.locals.id;
  }

  /** The trace that the request names; undefined without a `traceparent`. */
  get trace(): TraceContext | undefined {
    const { traceparent, tracestate } = this.request.headers;
    if (typeof traceparent !== 'string') return undefined;
    return typeof tracestate === 'string' ? { traceparent, tracestate } : { traceparent };
  }

  get cost(): number | undefined {
    return reportedCost(this.request.headers[COST_HEADER]);
  }

  get ending(): () => AbortSignal {
    return () => endOfWait(this.response);
  }

  get gone(): () => AbortSignal {
    return () => clientLeft(this.response);
  }

  count(thing: LimitedThing, amount: number): void | Promise<void> {
    if (thing === 'jobs') this.room?.takeJobs(this.response, amount);
    return this.arrival.limited?.count(thing, amount, this.response.locals);
  }

  audited(mark: AuditMark): void {
    this.response.locals.audited = mark;
  }
}

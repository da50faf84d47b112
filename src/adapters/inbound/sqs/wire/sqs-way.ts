import type { IncomingMessage } from 'node:http';
import type { CallerLimits, RequestLimits } from '../../../../application/access/request-limits.ts';
import type { AuditMark, Way } from '../../../../application/operations/way.ts';
import type { TraceContext } from '../../../../application/ports/tracing-port.ts';
import type { Caller } from '../../../../domain/access/caller.ts';
import { traceContext } from '../../../shared/trace-context.ts';
import type { LimitedThing } from '../../../../domain/access/token-limits.ts';
import { clientLeft, endOfWait } from '../../../shared/end-of-wait.ts';
import type { ServedResponse } from './served-response.ts';

/** The limits of callers, which are found once for each of them. */
export class KnownLimits {
  readonly #limits: Pick<RequestLimits, 'limitsOf' | 'take'>;
  readonly #known = new WeakMap<Caller, CallerLimits>();

  constructor(limits: Pick<RequestLimits, 'limitsOf' | 'take'>) {
    this.#limits = limits;
  }

  /** @throws LimitReachedError */
  count(caller: Caller, thing: LimitedThing, amount: number): void | Promise<void> {
    let known = this.#known.get(caller);
    if (known === undefined) {
      known = this.#limits.limitsOf(caller);
      this.#known.set(caller, known);
    }
    const limits = known[thing];
    if (limits.length === 0) return;
    const taken = this.#limits.take(limits, amount);
    if (taken instanceof Promise) return taken.then(() => undefined);
  }
}

/** A request of SQS on its way in. */
export class SqsWay implements Way {
  readonly caller: Caller;
  readonly address: string;
  readonly requestId: string;
  readonly identity = undefined;
  readonly #request: IncomingMessage;
  readonly #response: ServedResponse;
  readonly #limits: KnownLimits;
  #mark: AuditMark | undefined;

  constructor(
    from: { readonly caller: Caller; readonly address: string; readonly requestId: string },
    request: IncomingMessage,
    response: ServedResponse,
    limits: KnownLimits,
  ) {
    this.caller = from.caller;
    this.address = from.address;
    this.requestId = from.requestId;
    this.#request = request;
    this.#response = response;
    this.#limits = limits;
  }

  get trace(): TraceContext | undefined {
    return traceContext(this.#request.headers);
  }

  get ending(): () => AbortSignal {
    return () => endOfWait(this.#response);
  }

  get gone(): () => AbortSignal {
    return () => clientLeft(this.#response);
  }

  /** Set once the audit has an entry of the call. */
  get mark(): AuditMark | undefined {
    return this.#mark;
  }

  count(thing: LimitedThing, amount: number): void | Promise<void> {
    return this.#limits.count(this.caller, thing, amount);
  }

  audited(mark: AuditMark): void {
    this.#mark = mark;
  }
}

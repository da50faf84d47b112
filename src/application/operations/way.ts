import type { Caller } from '../../domain/access/caller.ts';
import type { LimitedThing } from '../../domain/access/token-limits.ts';
import type { AddIdentity } from '../../domain/jobs/add-identity.ts';
import type { TraceContext } from '../ports/tracing-port.ts';

/** The mark of an audited call in the log. */
export interface AuditMark {
  readonly audit: true;
  readonly action: string;
  /** The name of the token. */
  readonly who: string;
  readonly tokenId: string;
}

/** A call on its way in: who makes it, from where, and what an operation may need of the way. */
export interface Way {
  readonly caller: Caller;
  /** The address that the call comes from. */
  readonly address: string;
  readonly requestId: string;
  /** The trace of the call, if it has one. */
  readonly trace: TraceContext | undefined;
  /** What the start of an attempt counted in limiters, where the call reports on one and says so. */
  readonly cost: number | undefined;
  /** The identity of the call, if its client may repeat it. */
  readonly identity: AddIdentity | undefined;
  /** Makes a signal for a call that waits. It aborts when the client has left or the service begins to shut down. */
  readonly ending: () => AbortSignal;
  /** Makes a signal for work that is of use only to this client. It aborts when the client has left. */
  readonly gone: () => AbortSignal;
  /** Counts against the limits of the caller, if it has any. @throws LimitReachedError */
  count(thing: LimitedThing, amount: number): void | Promise<void>;
  /** Called once the audit has an entry of the call. */
  audited(mark: AuditMark): void;
}

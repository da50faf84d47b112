import {
  isRepeatable,
  type AuditEntry,
  type AuditOutcome,
} from '../../domain/audit/audit-entry.ts';
import { beforeChange } from '../../domain/errors.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { namePattern } from '../../domain/queues/name-pattern.ts';
import type { AuditStorePort } from '../ports/audit-store-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { TokenPort } from '../ports/token-port.ts';
import { RepeatedCalls } from './repeated-calls.ts';

/** How many entries are read at a time, and how many an answer contains at most. */
const STEP = 500;
const MOST_READ = 10_000;

/** A call as it is recorded before it changes anything. */
export interface AuditedCall extends Pick<
  AuditEntry,
  'address' | 'action' | 'target' | 'detail' | 'requestId'
> {
  readonly caller: Caller;
}

/** Which entries to list: all, except where a field restricts it. */
export interface AuditQuery {
  /** The id or the name of a token. */
  readonly who: string | undefined;
  /** A pattern, such as `queue.*`. */
  readonly action: string | undefined;
  readonly queue: string | undefined;
  readonly job: string | undefined;
  /** Epoch ms, both inclusive. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly outcome: AuditOutcome | undefined;
  /** The cursor of an earlier page. */
  readonly cursor: string | undefined;
  readonly length: number;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The start of the next page; null on the last page. */
  readonly cursor: string | null;
}

/**
 * Records who changed what: before the change, so that no change goes unrecorded, and after it (platform contract,
 * section 11).
 */
export class Audit {
  readonly #store: AuditStorePort;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  /** Distinguishes the entries of replicas. */
  readonly #source: string;
  #recorded = 0;
  readonly #repeated: RepeatedCalls;

  constructor(store: AuditStorePort, tokens: TokenPort, clock: ClockPort, logger: LoggerPort) {
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
    this.#source = tokens.draw().slice(0, 8);
    this.#repeated = new RepeatedCalls(clock, (entry) => this.#try(() => store.save(entry)));
  }

  /**
   * Records the start of a call that changes something. @throws DomainError `store-unavailable`; then the call must not
   * go on.
   */
  async begin(call: AuditedCall): Promise<AuditEntry> {
    const entry = this.#entryOf(call, 'started', null);
    try {
      await this.#store.save(entry);
    } catch (error) {
      throw beforeChange(error);
    }
    return entry;
  }

  /** Records the outcome of a call that changed something, or failed to. If that is not possible, the change stays. */
  async complete(
    entry: AuditEntry,
    { outcome, code, detail }: Required<Pick<AuditEntry, 'outcome' | 'code' | 'detail'>>,
  ): Promise<void> {
    const completed = { ...entry, outcome, code, detail: { ...entry.detail, ...detail } };
    const saved = isRepeatable(completed) ? this.#repeated.entryFor(completed) : completed;
    if (saved?.id !== entry.id) await this.forget(entry);
    if (saved !== undefined) await this.#try(() => this.#store.save(saved));
  }

  /** Removes the entry of a call that, as it turned out, changed nothing. */
  async forget({ id }: AuditEntry): Promise<void> {
    await this.#try(() => this.#store.remove(id));
  }

  /** Records a call that the caller is not allowed to make. */
  async refused(call: AuditedCall): Promise<void> {
    const saved = this.#repeated.entryFor(this.#entryOf(call, 'refused', 'forbidden'));
    if (saved !== undefined) await this.#try(() => this.#store.save(saved));
  }

  /**
   * The entries that a caller may see, newest first. Any page but the last may be incomplete, or even empty.
   *
   * @throws DomainError `store-unavailable`.
   */
  async list(query: AuditQuery, mayUse?: (queue: string) => boolean): Promise<AuditPage> {
    const isWanted = matcher(query, mayUse);
    const entries: AuditEntry[] = [];
    let before = query.cursor ?? (query.to === undefined ? undefined : firstIdAt(query.to + 1));
    for (let read = 0; read < MOST_READ; read += STEP) {
      const step = await this.#store.latest(before, STEP);
      for (const entry of step) {
        if (query.from !== undefined && entry.at < query.from) return { entries, cursor: null };
        before = entry.id;
        if (!isWanted(entry)) continue;
        entries.push(entry);
        if (entries.length === query.length) return { entries, cursor: before };
      }
      if (step.length < STEP) return { entries, cursor: null };
    }
    return { entries, cursor: before ?? null };
  }

  #entryOf(call: AuditedCall, outcome: AuditOutcome, code: string | null): AuditEntry {
    const { caller, address, action, target, detail, requestId } = call;
    const at = this.#clock.now();
    const { id, name, via, session, subject } = caller;
    const who = {
      ...{ id, name, via },
      ...(session && { session: session.id }),
      ...(subject !== undefined && { subject }),
    };
    return {
      id: this.#nextId(at),
      at,
      who,
      address,
      action,
      target,
      detail,
      outcome,
      code,
      requestId,
    };
  }

  #nextId(at: number): string {
    this.#recorded = (this.#recorded + 1) % 1_000_000;
    return `${firstIdAt(at)}${String(this.#recorded).padStart(6, '0')}-${this.#source}`;
  }

  async #try(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#logger.error('An audit entry could not be written', { error });
    }
  }
}

/** The lowest id that an entry of that time or later can have. */
function firstIdAt(at: number): string {
  return `${String(at).padStart(14, '0')}-`;
}

function matcher(
  { who, action, queue, job, to, outcome }: AuditQuery,
  mayUse: ((queue: string) => boolean) | undefined,
): (entry: AuditEntry) => boolean {
  const isAction = namePattern(action);
  return (entry) => {
    if (mayUse !== undefined && !(entry.target.queue !== undefined && mayUse(entry.target.queue))) {
      return false;
    }
    return (
      (who === undefined || entry.who.id === who || entry.who.name === who) &&
      isAction(entry.action) &&
      (queue === undefined || entry.target.queue === queue) &&
      (job === undefined || entry.target.job === job) &&
      (to === undefined || entry.at <= to) &&
      (outcome === undefined || entry.outcome === outcome)
    );
  };
}

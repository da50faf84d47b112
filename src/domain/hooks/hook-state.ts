import type { HeldConditions } from './conditions.ts';
import { CONDITION_EVENTS } from './hook-events.ts';
import type { HookMessage } from './hook-message.ts';
import type { Hook } from './hook.ts';
import type { MissedSlot } from './missed-slots.ts';

/** A message on its way to the deliveries of its hook. */
export interface OutgoingMessage {
  /** The same however often it is handed over. */
  readonly id: string;
  readonly message: HookMessage;
}

/** What a hook has reported, from which the next look tells what is new. Times are epoch ms. */
export interface HookState {
  /** When its hook was created: the state of an earlier hook with the same id does not count. */
  readonly createdAt: number;
  /** Increases with each change that makes messages. */
  readonly version: number;
  readonly conditions: HeldConditions;
  /** The slots of schedulers that have been reported and are still missed. */
  readonly missed: readonly MissedSlot[];
  /** When its schedulers were looked at; absent unless it reports missed slots. */
  readonly schedulersSeenAt?: number;
  /** When the look that last changed it took place. */
  readonly lookedAt: number;
  /** The messages that may not have been handed over. */
  readonly outbox: readonly OutgoingMessage[];
}

/** What follows from a look at the queues of a hook. */
export interface LookResult extends Pick<
  HookState,
  'conditions' | 'missed' | 'schedulersSeenAt' | 'lookedAt'
> {
  readonly messages: readonly HookMessage[];
}

/** How long (ms) a look may take. The clock of a later one was set back. */
const LONGEST_LOOK = 60_000;

/** The state that counts for a hook: the stored one, unless it is that of an earlier hook. */
export function stateOf(
  { createdAt }: Pick<Hook, 'createdAt'>,
  stored: HookState | undefined,
): HookState {
  if (stored?.createdAt === createdAt) return stored;
  return { createdAt, version: 0, conditions: {}, missed: [], lookedAt: 0, outbox: [] };
}

/** Whether a later look has changed the state already, so that what an earlier one found no longer counts. */
export function isOutdated({ lookedAt }: HookState, at: number): boolean {
  return at < lookedAt && lookedAt - at < LONGEST_LOOK;
}

/** The state after a look, with its messages to be handed over; undefined when nothing changed. */
export function stateAfterLook(
  { id }: Pick<Hook, 'id'>,
  state: HookState,
  { messages, ...seen }: LookResult,
): HookState | undefined {
  if (messages.length === 0 && isSame(state, seen)) return undefined;
  const { createdAt, outbox } = state;
  const version = messages.length === 0 ? state.version : state.version + 1;
  const outgoing = messages.map((message, index) => {
    return { id: [id, createdAt.toString(36), version, index].join('.'), message };
  });
  return { createdAt, version, ...seen, outbox: [...outbox, ...outgoing] };
}

/** The state after messages were handed over; undefined when it has none of them. */
export function stateAfterHandover(
  state: HookState,
  handedOver: readonly OutgoingMessage[],
): HookState | undefined {
  const ids = new Set(handedOver.map(({ id }) => id));
  const outbox = state.outbox.filter(({ id }) => !ids.has(id));
  return outbox.length === state.outbox.length ? undefined : { ...state, outbox };
}

function isSame(state: HookState, seen: Omit<LookResult, 'messages' | 'lookedAt'>): boolean {
  return (
    state.schedulersSeenAt === seen.schedulersSeenAt &&
    haveSameItems(state.missed, seen.missed) &&
    CONDITION_EVENTS.every((event) =>
      haveSameItems(state.conditions[event] ?? [], seen.conditions[event] ?? []),
    )
  );
}

/** Those that last are the very same objects. */
function haveSameItems(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}

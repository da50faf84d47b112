import { idBefore, type EventId } from './event-id.ts';
import type { Json } from './json.ts';
import type { QueueName } from './queue-name.ts';

/** What can happen in a queue. */
export const EVENT_NAMES = [
  'added',
  'waiting',
  'active',
  'progress',
  'log',
  'completed',
  'failed',
  'delayed',
  'deferred',
  'stalled',
  'removed',
  'cancelled',
  'paused',
  'resumed',
  'held',
  'drained',
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

const NAMES: ReadonlySet<string> = new Set(EVENT_NAMES);

export function isEventName(name: string): name is EventName {
  return NAMES.has(name);
}

/**
 * Events are kept whatever becomes of their jobs, so none carries a longer value, in bytes: a longer text is cut,
 * and what is JSON is left out.
 */
export const MAX_EVENT_VALUE = 1024;

/** Something that happened in a queue. */
export interface QueueEvent {
  readonly id: EventId;
  readonly name: EventName;
  readonly data: EventData;
}

export interface EventData {
  readonly queue: QueueName;
  /** Epoch milliseconds by the clock of the store. */
  readonly timestamp: number;
  /** Missing where the event is about the whole queue. */
  readonly jobId?: string;
  /** The name of a job that was added. */
  readonly name?: string;
  readonly progress?: Json;
  /** A line of the log. */
  readonly line?: string;
  readonly returnvalue?: Json;
  readonly failedReason?: string;
  /** Why a job was cancelled. */
  readonly reason?: string;
  /** Until when (epoch ms) a job is delayed, or its queue held. */
  readonly until?: number;
}

/** Events were missed: those behind `from` and before `to`. */
export interface EventGap {
  /** Behind this id is what follows the gap, or, where that was not told, what was missed. */
  readonly id: EventId;
  readonly name: 'gap';
  readonly data: {
    readonly queue: QueueName;
    readonly timestamp: number;
    readonly from: EventId;
    readonly to: EventId;
  };
}

export type EventOrGap = QueueEvent | EventGap;

/** The gap between the last event that was told and one that is told next. */
export function gapBetween(
  queue: QueueName,
  from: EventId,
  to: EventId,
  timestamp: number,
): EventGap {
  return { id: idBefore(to), name: 'gap', data: { queue, timestamp, from, to } };
}

/** Which events are wanted: all without names and without a job. */
export interface EventSelection {
  readonly names?: ReadonlySet<EventName> | undefined;
  readonly jobId?: string | undefined;
}

/** A gap is always told: nobody knows what was in it. */
export function isSelected({ name, data }: EventOrGap, { names, jobId }: EventSelection): boolean {
  if (name === 'gap') return true;
  if (names !== undefined && !names.has(name)) return false;
  return jobId === undefined || data.jobId === jobId;
}

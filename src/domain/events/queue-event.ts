import { idAfter, idBefore, timeOfEvent, type EventId } from './event-id.ts';
import type { EventPosition } from './event-position.ts';
import type { Json } from '../values/json.ts';
import { namePatterns } from '../queues/name-pattern.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { EVENT_NAMES } from '../values/event-names.ts';

export type EventName = (typeof EVENT_NAMES)[number];

const NAMES: ReadonlySet<string> = new Set(EVENT_NAMES);

export function isEventName(name: string): name is EventName {
  return NAMES.has(name);
}

/**
 * Maximum size (bytes) of a value in an event, since events outlive their jobs: a longer text is cut, and longer JSON
 * is left out.
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
  /** Absent when the event concerns the whole queue. */
  readonly jobId?: string;
  /** The group of the job, if any; events of native clients lack it. */
  readonly group?: string;
  /** The name of a job that was added. */
  readonly name?: string;
  readonly progress?: Json;
  /** A line of the job log. */
  readonly line?: string;
  readonly returnvalue?: Json;
  readonly failedReason?: string;
  /** Why a job was cancelled. */
  readonly reason?: string;
  /** Until when (epoch ms) a job is delayed, or its queue held; of a suspension null where that is not known. */
  readonly until?: number | null;
  /** The names of the steps that a suspended job awaits. */
  readonly steps?: readonly string[];
}

/** Events were missed: those after `from` and before `to`. */
export interface EventGap {
  /**
   * What follows the gap comes after this position. Where nothing beyond the gap was sent yet, so does what was missed.
   */
  readonly position: EventPosition;
  readonly name: 'gap';
  readonly data: {
    readonly queue: QueueName;
    readonly timestamp: number;
    readonly from: EventPosition;
    readonly to: EventPosition;
  };
}

export type EventOrGap = QueueEvent | EventGap;

export function positionOf(event: EventOrGap): EventPosition {
  return event.name === 'gap' ? event.position : { id: event.id, queue: event.data.queue };
}

/**
 * The gap between the last event that was sent and the next one.
 *
 * @param position by default, right before the next event.
 */
export function gapBetween(
  queue: QueueName,
  from: EventPosition,
  to: EventPosition,
  timestamp: number,
  position: EventPosition = { id: idBefore(to.id), queue },
): EventGap {
  return { position, name: 'gap', data: { queue, timestamp, from, to } };
}

/** The gap in the place of a single event. */
export function gapAt(queue: QueueName, id: EventId): EventGap {
  const [from, to] = [idBefore(id), idAfter(id)];
  return gapBetween(queue, { id: from, queue }, { id: to, queue }, timeOfEvent(id));
}

/** Which events to select: all, except where names, job or queue restrict it. */
export interface EventSelection {
  readonly names?: ReadonlySet<EventName> | undefined;
  readonly jobId?: string | undefined;
  /** Patterns of names. */
  readonly queues?: readonly string[] | undefined;
  /** Which queues the caller may see; all by default. */
  readonly mayUse?: ((queue: string) => boolean) | undefined;
}

/** Whether an event is selected; undefined when all are. A gap always is, since its content is unknown. */
export function eventFilter({
  names,
  jobId,
  queues,
  mayUse,
}: EventSelection): ((event: EventOrGap) => boolean) | undefined {
  if (mayUse === undefined && names === undefined && jobId === undefined && queues === undefined) {
    return undefined;
  }
  const isWanted = namePatterns(queues);
  return ({ name, data }) => {
    if (mayUse?.(data.queue) === false) return false;
    if (!isWanted(data.queue)) return false;
    if (name === 'gap') return true;
    if (names !== undefined && !names.has(name)) return false;
    return jobId === undefined || data.jobId === jobId;
  };
}

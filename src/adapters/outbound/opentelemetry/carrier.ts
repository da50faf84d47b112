import type { TraceContext } from '../../../application/ports/tracing-port.ts';
import { isObject, parsedJson } from '../../../domain/values/json.ts';

/** The trace of its add that a job keeps, as BullMQ's clients write it: the headers of W3C Trace Context, as JSON. */
export interface Carrier extends TraceContext {
  /** Whether attempts are always linked, since one trace cannot hold so many jobs. */
  readonly linked?: true;
}

export function carrierText(carrier: Carrier): string {
  return JSON.stringify(carrier);
}

/** Undefined for anything that is not a carrier: any client of the store may have written the text. */
export function readCarrier(text: unknown): Carrier | undefined {
  const value = typeof text === 'string' ? parsedJson(text) : undefined;
  if (!isObject(value)) return undefined;
  const { traceparent, tracestate, linked } = value;
  if (typeof traceparent !== 'string') return undefined;
  return {
    traceparent,
    ...(typeof tracestate === 'string' && { tracestate }),
    ...(linked === true && { linked }),
  };
}

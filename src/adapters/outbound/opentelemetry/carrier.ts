import type { TraceContext } from '../../../application/ports/tracing-port.ts';
import { isObject } from '../../../domain/values/json.ts';

/** What a job keeps of its add, as BullMQ's clients write it: the headers of W3C Trace Context, as JSON. */
export interface Carrier extends TraceContext {
  /** Whether attempts are linked in any case, since there are too many jobs for one trace. */
  readonly linked?: true;
}

export function carrierText(carrier: Carrier): string {
  return JSON.stringify(carrier);
}

/** Undefined for what is no carrier: any client of the store may have written it. */
export function readCarrier(text: unknown): Carrier | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { traceparent, tracestate, linked } = value;
    if (typeof traceparent !== 'string') return undefined;
    return {
      traceparent,
      ...(typeof tracestate === 'string' && { tracestate }),
      ...(linked === true && { linked }),
    };
  } catch {
    return undefined;
  }
}

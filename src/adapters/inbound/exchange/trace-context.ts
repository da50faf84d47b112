import type { IncomingHttpHeaders } from 'node:http';
import type { TraceContext } from '../../../application/ports/tracing-port.ts';

/** The trace that a request names; undefined without a `traceparent`. */
export function traceContext({
  traceparent,
  tracestate,
}: IncomingHttpHeaders): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  return typeof tracestate === 'string' ? { traceparent, tracestate } : { traceparent };
}

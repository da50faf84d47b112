import type { AddSpan } from '../ports/tracing-port.ts';

/** Passes the carrier of a span, if there is one, to the add, and ends the span with it. */
export async function traced<Added>(
  span: AddSpan | undefined,
  add: (carrier?: string) => Promise<Added>,
): Promise<Added> {
  if (span === undefined) return add();
  try {
    const added = await add(span.carrier);
    span.end();
    return added;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

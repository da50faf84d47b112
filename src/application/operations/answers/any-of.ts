import type { Shape } from '../../../domain/values/shape.ts';

/** An answer of one of several shapes, depending on what the client asks for. */
export function anyOf(...shapes: readonly Shape<unknown>[]): Shape<unknown> {
  return {
    must: shapes.map(({ must }) => must).join(', or '),
    accepts: (value): value is unknown => shapes.some((shape) => shape.accepts(value)),
    schema: { anyOf: shapes.map(({ schema }) => schema) },
  };
}

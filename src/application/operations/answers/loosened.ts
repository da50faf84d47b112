import {
  number,
  object,
  string,
  type Field,
  type Fields,
  type Shape,
} from '../../../domain/values/shape.ts';
import { anyOf } from './any-of.ts';

/** Other fields with the same names. */
type Renewed<F extends Fields> = { readonly [Name in keyof F]: Field };

/** Titles for loosened shapes that answers contain in their exact form too: a worker has a `Retention`. */
const LOOSE_TITLES: ReadonlyMap<unknown, string> = new Map([['Retention', 'JobRetention']]);

/**
 * The fields as answers have them. Other producers store values with less care, so an answer promises only the type of
 * a field, and none of the fields of an object inside it.
 */
export function loosenedFields<F extends Fields>(fields: F): Renewed<F> {
  return renewed(fields, ({ shape, isRequired, storedDescription }) => ({
    shape: loosened(shape),
    isRequired,
    description: storedDescription,
    storedDescription,
  }));
}

/** The same fields, each of which may be absent. */
export function allOptional<F extends Fields>(fields: F): Renewed<F> {
  return renewed(fields, (field) => ({ ...field, isRequired: false }));
}

function renewed<F extends Fields>(fields: F, renew: (field: Field) => Field): Renewed<F> {
  const entries = Object.entries(fields).map(([name, field]) => [name, renew(field)]);
  return Object.fromEntries(entries) as Renewed<F>;
}

function loosened(shape: Shape<unknown>): Shape<unknown> {
  const { parts, schema } = shape;
  switch (parts?.kind) {
    case 'object': {
      const title = LOOSE_TITLES.get(schema['title']) ?? String(schema['title']);
      return object(title, allOptional(loosenedFields(parts.fields)));
    }
    case 'either':
      return parts.by !== undefined && 'nul' in parts.by
        ? loosenedPiece(shape)
        : anyOf(...parts.shapes.map(loosened));
    default:
      return loosenedPiece(shape);
  }
}

/** An enum stays: the document lists its values as examples and allows any other. */
function loosenedPiece(shape: Shape<unknown>): Shape<unknown> {
  const { type, enum: values } = shape.schema;
  if (type === 'integer' || type === 'number') return number;
  return type === 'string' && values === undefined ? string : shape;
}

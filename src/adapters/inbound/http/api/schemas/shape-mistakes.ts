import { ValidationError } from 'yup';
import { keptOrMade } from '../../../../../domain/values/kept-or-made.ts';
import type { Shape } from '../../../../../domain/values/shape.ts';
import type { Mistake, Path } from '../../messages/mistakes.ts';
import { yupSchema, type YupSchema } from './yup-schema.ts';

/** Making the schemas of all bodies takes tens of milliseconds, of which most processes need none. */
const schemas = new WeakMap<Shape<unknown>, YupSchema>();

/**
 * The mistakes in a value. Nothing is converted. A value that has the shape, as nearly all have, takes a path that
 * costs a fiftieth of the check that describes mistakes.
 *
 * @param at where the value is in the body.
 */
export function shapeMistakes(shape: Shape<unknown>, value: unknown, at: Path): readonly Mistake[] {
  return shape.accepts(value)
    ? []
    : describedMistakes(keptOrMade(schemas, shape, yupSchema), value, at);
}

/** The mistakes that a yup schema finds. */
export function describedMistakes(schema: YupSchema, value: unknown, at: Path): readonly Mistake[] {
  try {
    schema.validateSync(value, { strict: true, abortEarly: false });
    return [];
  } catch (error) {
    if (!ValidationError.isError(error)) throw error;
    const errors = error.inner.length > 0 ? error.inner : [error];
    return errors.map((each) => ({ path: [...at, ...pathOf(each)], problem: each.message }));
  }
}

/** The names of schema fields contain no dot; a name that the client chose is reported separately. */
function pathOf({ path = '', params }: ValidationError): Path {
  const fields = path === '' ? [] : path.split('.');
  const member = params?.['member'];
  return typeof member === 'string' ? [...fields, member] : fields;
}

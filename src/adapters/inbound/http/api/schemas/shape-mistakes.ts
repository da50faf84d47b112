import { ValidationError } from 'yup';
import type { Mistake, Path } from '../../messages/mistakes.ts';
import type { YupSchema } from './yup-schema.ts';

/**
 * The mistakes that a yup schema finds in a value, without any conversion.
 *
 * @param at where the value is in the body.
 */
export function shapeMistakes(schema: YupSchema, value: unknown, at: Path): readonly Mistake[] {
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

import { ValidationError, type Schema } from 'yup';
import { invalidRequest } from '../../../domain/errors.ts';
import { excerpt } from '../../../domain/text.ts';

/**
 * Checks a value against a yup schema as it is: nothing is converted. Only the first mistake is told.
 *
 * @param at where the value is in the body, such as `[3]`; empty for the body itself.
 * @throws DomainError `invalid-request` naming the field by its path.
 */
export function validate(schema: Schema, value: unknown, at: string): void {
  try {
    schema.validateSync(value, { strict: true, abortEarly: true });
  } catch (error) {
    if (!ValidationError.isError(error)) throw error;
    const field = fieldPath(at, error.path ?? '');
    throw invalidRequest(`${field || 'The request body'} ${error.message}`, field);
  }
}

function fieldPath(at: string, path: string): string {
  const whole = at === '' || path === '' ? at + path : `${at}.${path}`;
  return excerpt(whole);
}

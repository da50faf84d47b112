import { invalidRequest } from '../../../domain/errors.ts';
import { isPrintable } from '../../../domain/values/text.ts';

/** OpenID Connect Core 1.0, section 2, in characters. */
const LONGEST = 255;

/**
 * The person that an issuer names.
 *
 * @param expected whom it has to name.
 * @throws DomainError `invalid-request`.
 */
export function checkedSubject(subject: unknown, expected = subject): string {
  const isName = typeof subject === 'string' && subject !== '' && isPrintable(subject);
  if (isName && subject.length <= LONGEST && subject === expected) return subject;
  throw invalidRequest('The sign-in was refused: the issuer does not name the person as it must');
}

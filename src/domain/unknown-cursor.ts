import { invalidRequest, type DomainError } from './errors.ts';

/** A store cannot tell by the text where to go on. */
export function unknownCursor(): DomainError {
  return invalidRequest('cursor must be one that an answer to the same search had', 'cursor');
}

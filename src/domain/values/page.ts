import { checkShape } from './check-shape.ts';
import { integer, object, required, type Shaped } from './shape.ts';

/** Most items of one page. */
const MAX_LENGTH = 1000;

export const pageStart = integer(0);
export const pageLength = integer(0, MAX_LENGTH);

/** Which part of a list is asked for: what to skip, and most to return. */
const page = object('Page', {
  start: required(pageStart, 'How many to skip'),
  length: required(pageLength, 'Most to return'),
});

export type Page = Shaped<typeof page>;

/** @throws DomainError `invalid-request` naming the number. */
export function checkPage({ start, length }: Page): void {
  checkShape(page, { start, length }, '');
}

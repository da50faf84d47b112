import { checkShape } from './check-shape.ts';
import { integer, object, required, type Shaped } from './shape.ts';

/** Maximum number of items per page, and of items that may be long. */
const MAX_LENGTH = 1000;
const MAX_LONG_ITEMS = 100;

export const pageStart = integer(0);
export const pageLength = integer(0, MAX_LENGTH);
export const longItemsLength = integer(0, MAX_LONG_ITEMS);

/** The requested part of a list: how many to skip, and how many to return at most. */
const page = object('Page', {
  start: required(pageStart, 'How many to skip'),
  length: required(pageLength, 'Most to return'),
});

export type Page = Shaped<typeof page>;

/** @throws DomainError `invalid-request` naming the number. */
export function checkPage({ start, length }: Page, lengthShape = pageLength): void {
  checkShape(page, { start, length }, '');
  checkShape(lengthShape, length, 'length');
}

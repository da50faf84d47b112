import { enforce, integer } from './rule.ts';

/** Which part of a list is asked for: what to skip, and most to return. */
export interface Page {
  readonly start: number;
  readonly length: number;
}

export const pageRules = { start: integer(0), length: integer(0, 1000) } as const;

/** @throws DomainError `invalid-request` naming the number. */
export function checkPage({ start, length }: Page): void {
  enforce(pageRules.start, start, 'start');
  enforce(pageRules.length, length, 'length');
}

import { decisions } from './decisions.ts';
import type { Rule, Section } from './section.ts';
import { specification } from './specification.ts';

/** All sections, by the page they come from. */
export const PAGES: Readonly<Record<string, readonly Section[]>> = {
  'The specification': specification,
  'The decisions': decisions,
};

/** Every rule with its id. */
export function allRules(): (readonly [id: string, rule: Rule])[] {
  return Object.values(PAGES)
    .flat()
    .flatMap(({ rules }) => Object.entries(rules));
}

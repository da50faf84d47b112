import { beyond } from './beyond.ts';
import { decisions } from './decisions.ts';
import type { Rule, Section } from './section.ts';
import { security } from './security.ts';
import { specification } from './specification.ts';

/** All sections, by the page they come from. */
export const PAGES: Readonly<Record<string, readonly Section[]>> = {
  'The specification': specification,
  'The decisions': decisions,
  'Beyond the specification': beyond,
  Security: security,
};

/** Every rule with its id. */
export function allRules(): (readonly [id: string, rule: Rule])[] {
  return Object.values(PAGES)
    .flat()
    .flatMap(({ rules }) => Object.entries(rules));
}

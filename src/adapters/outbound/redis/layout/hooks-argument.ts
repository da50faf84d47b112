import type { HooksOfJobs } from '../../../../domain/hooks/hooks-of-jobs.ts';

const TEXTS = new WeakMap<HooksOfJobs, string>();

/** The hooks of a queue as scripts take them: JSON, or empty for none. */
export function hooksArgument(hooks: HooksOfJobs): string {
  const known = TEXTS.get(hooks);
  if (known !== undefined) return known;
  const text = Object.keys(hooks).length === 0 ? '' : JSON.stringify(hooks);
  TEXTS.set(hooks, text);
  return text;
}

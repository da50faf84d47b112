import { invalidRequest } from '../errors.ts';
import type { GroupDefaults } from './group-settings.ts';
import type { JobGroup } from './job-group.ts';

/** The options of a job that affect its order. */
interface OrderedOptions {
  readonly group?: JobGroup | undefined;
  readonly lifo?: boolean | undefined;
  readonly priority?: number | undefined;
}

export function isOrdered({ ordered = false }: GroupDefaults = {}): boolean {
  return ordered !== false;
}

/**
 * Jobs of ordered groups start in the order in which they were added, so none may request another place.
 *
 * @param path of the options in the request.
 * @throws DomainError `invalid-request` naming the field.
 */
export function checkOrdered(
  { group, lifo = false, priority = 0 }: OrderedOptions,
  defaults: GroupDefaults | undefined,
  path: string,
): void {
  if (group === undefined || !isOrdered(defaults)) return;
  const option = lifo ? 'lifo' : priority > 0 ? 'priority' : undefined;
  if (option === undefined) return;
  const field = path === '' ? option : `${path}.${option}`;
  throw invalidRequest(`${field} must not be given for a job of an ordered group`, field);
}

import { invalidRequest } from '../errors.ts';
import type { GroupDefaults } from './group-settings.ts';
import type { JobGroup } from './job-group.ts';

/** The options of a job that decide about its order. */
interface OrderedOptions {
  readonly group?: JobGroup | undefined;
  readonly lifo?: boolean | undefined;
  readonly priority?: number | undefined;
}

/**
 * Jobs of ordered groups start in the order in which they were added, so none may ask for another place.
 *
 * @param path of the options in the request.
 * @throws DomainError `invalid-request` naming the field.
 */
export function checkOrdered(
  { group, lifo = false, priority = 0 }: OrderedOptions,
  defaults: GroupDefaults | undefined,
  path: string,
): void {
  const { ordered = false } = defaults ?? {};
  if (group === undefined || ordered === false) return;
  const field = lifo ? 'lifo' : priority > 0 ? 'priority' : undefined;
  if (field === undefined) return;
  throw invalidRequest(
    `${path}.${field} must not be given for a job of an ordered group`,
    `${path}.${field}`,
  );
}

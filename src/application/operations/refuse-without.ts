import { invalidRequest } from '../../domain/errors.ts';

/**
 * Refuses fields that make sense only together with another one.
 *
 * @param needed the other one, such as `view=figures`.
 * @throws DomainError `invalid-request` naming the first of the fields that was given.
 */
export function refuseWithout(
  needed: string,
  fields: Readonly<Record<string, string | number | undefined>>,
): void {
  const name = Object.keys(fields).find((each) => fields[each] !== undefined);
  if (name !== undefined) throw invalidRequest(`${name} needs ${needed}`, name);
}

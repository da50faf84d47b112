import { invalidRequest } from '../../../../domain/errors.ts';

/**
 * Refuses parameters that make sense only together with another one.
 *
 * @param needed the other one, such as `view=figures`.
 * @throws DomainError `invalid-request` naming the first of the parameters that was given.
 */
export function refuseWithout(
  needed: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
): void {
  const name = Object.keys(parameters).find((each) => parameters[each] !== undefined);
  if (name !== undefined) throw invalidRequest(`${name} needs ${needed}`, name);
}

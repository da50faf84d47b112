import { programOnPath } from './program-on-path.ts';

/**
 * A program that the tests need, by the first of its names that is on the PATH; installed first where it is missing.
 *
 * @param install returns whether the program is installed now.
 * @param advice what to do when the program cannot be installed.
 * @throws Error with the advice.
 */
export async function installedProgram(
  names: readonly string[],
  install: () => Promise<boolean>,
  advice: string,
): Promise<string> {
  const known = await programOnPath(names);
  if (known !== undefined) return known;
  const installed = (await install()) ? await programOnPath(names) : undefined;
  if (installed !== undefined) return installed;
  throw new Error(advice);
}

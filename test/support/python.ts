import { installDebianPackage } from './debian-package.ts';
import { programOnPath } from './program-on-path.ts';
import { runCommand } from './run-command.ts';

/** What the tests of the Python client run, by the Debian packages that have it. */
const PACKAGES = ['python3-httpx', 'python3-pytest', 'python3-uvicorn', 'python3-hatchling'];
const CHECK = ['-c', 'import httpx, pytest, uvicorn, hatchling'];

/**
 * A Python that has what the tests of the Python client run, which is installed first where that is possible.
 *
 * @throws Error that says what to do.
 */
export async function requirePython(): Promise<string> {
  const known = await found();
  if (known !== undefined) return known;
  for (const name of PACKAGES) await installDebianPackage(name, `Python with ${name}`);
  const installed = await found();
  if (installed !== undefined) return installed;
  throw new Error(
    'No Python for the tests: install python3 with httpx, pytest, uvicorn and hatchling',
  );
}

/** The first on the PATH may be another than that of the distribution, which has the packages. */
async function found(): Promise<string | undefined> {
  for (const program of [await programOnPath(['python3']), '/usr/bin/python3']) {
    if (program === undefined) continue;
    const { succeeded } = await runCommand(program, CHECK);
    if (succeeded) return program;
  }
  return undefined;
}

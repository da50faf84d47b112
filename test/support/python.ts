import { installDebianPackage } from './debian-package.ts';
import { programOnPath } from './program-on-path.ts';
import { runCommand } from './run-command.ts';

/** What the tests of the Python client run. */
const OF_CLIENT = ['httpx', 'pytest', 'uvicorn', 'hatchling'];

/** Looks for modules without running them, which takes a tenth of the time. */
const HAS_MODULES =
  'import importlib.util as util, sys; sys.exit(None in map(util.find_spec, sys.argv[1:]))';

/**
 * A Python that has what the tests of the Python client run, which is installed first where that is possible.
 *
 * @throws Error that says what to do.
 */
export function requirePython(): Promise<string> {
  return requirePythonWith(OF_CLIENT);
}

/** Those that were found by the modules that were asked for. */
const pythons = new Map<string, Promise<string>>();

/**
 * A Python that has these modules, which are installed first as Debian packages where that is possible.
 *
 * @throws Error that says what to do.
 */
export function requirePythonWith(modules: readonly string[]): Promise<string> {
  const names = modules.join();
  const python = pythons.get(names) ?? search(modules);
  pythons.set(names, python);
  return python;
}

async function search(modules: readonly string[]): Promise<string> {
  const known = await found(modules);
  if (known !== undefined) return known;
  for (const module of modules) {
    const name = `python3-${module}`;
    await installDebianPackage(name, `Python with ${name}`);
  }
  const installed = await found(modules);
  if (installed !== undefined) return installed;
  const list = new Intl.ListFormat('en').format(modules);
  throw new Error(`No Python for the tests: install python3 with ${list}`);
}

/** The first on the PATH may be another than that of the distribution, which has the packages. */
async function found(modules: readonly string[]): Promise<string | undefined> {
  for (const program of [await programOnPath(['python3']), '/usr/bin/python3']) {
    if (program === undefined) continue;
    const { succeeded } = await runCommand(program, ['-c', HAS_MODULES, ...modules]);
    if (succeeded) return program;
  }
  return undefined;
}

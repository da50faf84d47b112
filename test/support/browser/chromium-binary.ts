import { installDebianPackage } from '../debian-package.ts';
import { programOnPath } from '../program-on-path.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * The browser that CHROMIUM names, else the one on the PATH, its package installed first where that is possible.
 *
 * @throws Error that says what to do.
 */
export async function requireChromium(): Promise<string> {
  const given = process.env['CHROMIUM'];
  if (given !== undefined && given !== '') return given;
  const binary =
    (await programOnPath(NAMES)) ??
    ((await installDebianPackage('chromium', NAMES.join(', ')))
      ? await programOnPath(NAMES)
      : undefined);
  if (binary !== undefined) return binary;
  throw new Error(
    'No browser for the tests: install Chromium and put it on the PATH, or set CHROMIUM=/path/to/chromium',
  );
}

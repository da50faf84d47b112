import { installDebianPackage } from '../debian-package.ts';
import { installedProgram } from '../installed-program.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * The browser that CHROMIUM names, else the one on the PATH, installed first where possible.
 *
 * @throws Error that says what to do.
 */
export async function requireChromium(): Promise<string> {
  const given = process.env['CHROMIUM'];
  if (given !== undefined && given !== '') return given;
  return installedProgram(
    NAMES,
    () => installDebianPackage('chromium', NAMES.join(', ')),
    'No browser for the tests: install Chromium and put it on the PATH, or set CHROMIUM=/path/to/chromium',
  );
}

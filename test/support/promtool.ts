import { installWithoutService } from './debian-package.ts';
import { installedProgram } from './installed-program.ts';

/** The `promtool` on the PATH, installed first where possible. @throws Error that says what to do. */
export function requirePromtool(): Promise<string> {
  return installedProgram(
    ['promtool'],
    () => installWithoutService('prometheus', 'promtool'),
    'No promtool for the tests: install Prometheus and put promtool on the PATH',
  );
}

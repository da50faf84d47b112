import { installDebianPackage, runAsRoot } from './debian-package.ts';
import { programOnPath } from './program-on-path.ts';

const PACKAGE = 'prometheus';

/**
 * The `promtool` on the PATH, its package installed first where that is possible. The distribution may start a service
 * with it: that is stopped and disabled.
 *
 * @throws Error that says what to do.
 */
export async function requirePromtool(): Promise<string> {
  const known = await programOnPath(['promtool']);
  if (known !== undefined) return known;
  if (await installDebianPackage(PACKAGE, 'promtool')) {
    await runAsRoot('service', PACKAGE, 'stop');
    await runAsRoot('update-rc.d', PACKAGE, 'disable');
    const installed = await programOnPath(['promtool']);
    if (installed !== undefined) return installed;
  }
  throw new Error('No promtool for the tests: install Prometheus and put promtool on the PATH');
}

import { installDebianPackage, runAsRoot } from '../debian-package.ts';

const PACKAGE = 'redis-server';

/**
 * Installs Redis where that is possible. The distribution may start a service with it: that is stopped
 * and disabled, since the tests run processes of their own.
 *
 * @returns whether the package is installed now.
 */
export async function installRedisPackage(): Promise<boolean> {
  if (!(await installDebianPackage(PACKAGE, 'redis-server or valkey-server'))) return false;
  await runAsRoot('service', PACKAGE, 'stop');
  await runAsRoot('update-rc.d', PACKAGE, 'disable');
  return true;
}

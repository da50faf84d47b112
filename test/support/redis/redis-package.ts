import { installWithoutService } from '../debian-package.ts';

/**
 * Installs Redis where that is possible, without its service: the tests run processes of their own.
 *
 * @returns whether the package is installed now.
 */
export function installRedisPackage(): Promise<boolean> {
  return installWithoutService('redis-server', 'redis-server or valkey-server');
}

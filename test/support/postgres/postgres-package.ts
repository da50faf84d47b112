import { installWithoutService } from '../debian-package.ts';

/**
 * Installs PostgreSQL where that is possible, without its service: the tests run processes of their own.
 *
 * @returns whether the package is installed now.
 */
export function installPostgresPackage(): Promise<boolean> {
  return installWithoutService('postgresql', 'postgres');
}

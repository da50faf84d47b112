import { serviceBuild } from './service-build.ts';

/**
 * Mocha root plugin (`require` in the configurations): builds the service before the first test, if any needs it, as
 * processes of it are started from what is built. That is what users run, and it starts in a fifth of the time. The
 * files of a parallel run are loaded elsewhere, so whether one needs it is not known.
 */
export function mochaGlobalSetup(this: { readonly isParallelMode?: () => boolean }): void {
  if (this.isParallelMode?.() === true || serviceBuild.isNeeded) serviceBuild.update();
}

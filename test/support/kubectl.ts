import { installDebianPackage } from './debian-package.ts';
import { installedProgram } from './installed-program.ts';
import { runCommand } from './run-command.ts';

/**
 * What `kubectl kustomize` makes of a folder; its package is installed first where that is missing and possible.
 *
 * @throws Error when it fails, or when there is no kubectl, with what to do.
 */
export async function rendered(folder: string): Promise<string> {
  const kubectl = await installedProgram(
    ['kubectl'],
    () => installDebianPackage('kubernetes-client', 'kubectl'),
    'No kubectl for the tests: install it and put it on the PATH',
  );
  const { succeeded, output } = await runCommand(kubectl, ['kustomize', folder]);
  if (!succeeded) throw new Error(output);
  return output;
}

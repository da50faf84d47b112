import { installDebianPackage } from './debian-package.ts';
import { programOnPath } from './program-on-path.ts';
import { runCommand } from './run-command.ts';

/**
 * What `kubectl kustomize` makes of a folder; its package is installed first where that is missing and possible.
 *
 * @throws Error when it fails, or when there is no kubectl, with what to do.
 */
export async function rendered(folder: string): Promise<string> {
  const kubectl = await requireKubectl();
  const { succeeded, output } = await runCommand(kubectl, ['kustomize', folder]);
  if (!succeeded) throw new Error(output);
  return output;
}

async function requireKubectl(): Promise<string> {
  const known = await programOnPath(['kubectl']);
  if (known !== undefined) return known;
  const installed =
    (await installDebianPackage('kubernetes-client', 'kubectl')) &&
    (await programOnPath(['kubectl']));
  if (typeof installed === 'string') return installed;
  throw new Error('No kubectl for the tests: install it and put it on the PATH');
}

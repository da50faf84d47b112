import { installWithoutService } from './debian-package.ts';
import { programOnPath } from './program-on-path.ts';

/**
 * The `promtool` on the PATH, its package installed first where that is possible.
 *
 * @throws Error that says what to do.
 */
export async function requirePromtool(): Promise<string> {
  const binary =
    (await programOnPath(['promtool'])) ??
    ((await installWithoutService('prometheus', 'promtool'))
      ? await programOnPath(['promtool'])
      : undefined);
  if (binary !== undefined) return binary;
  throw new Error('No promtool for the tests: install Prometheus and put promtool on the PATH');
}

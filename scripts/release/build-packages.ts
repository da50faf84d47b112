import { chmod, copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { requirePythonWith } from '../../test/support/python.ts';
import { run } from '../check-clients/commands.ts';

/**
 * Builds a checkout and packs it: the packages of service, TypeScript and Python client, and the list of what is in the
 * service (CycloneDX).
 *
 * @param output an empty folder.
 * @throws Error when a step fails.
 */
export async function buildPackages(
  folder: string,
  version: string,
  output: string,
): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--silent', '--prefer-offline'];
  await run('npm', ['ci', ...quiet], { cwd: folder, timeout: 600_000 });
  await run('npm', ['run', '--silent', 'build'], { cwd: folder });
  const destination = ['--silent', '--pack-destination', output];
  await run(process.execPath, ['scripts/package.js', ...destination], { cwd: folder });
  const client = join(folder, 'clients/typescript');
  await run('npm', ['pack', '--ignore-scripts', ...destination], { cwd: client });
  const python = await requirePythonWith(['hatchling']);
  const packed = ['-m', 'hatchling', 'build', '--directory', output];
  await run(python, packed, { cwd: join(folder, 'clients/python') });
  // hatchling leaves its files to their owner alone, and an index or a mirror serves them as another user.
  const built = (await readdir(output)).filter((name) => /\.(whl|tar\.gz)$/.test(name));
  for (const name of built) await chmod(join(output, name), 0o644);
  await copyFile(join(folder, 'dist/bom.cdx.json'), join(output, `jobgate-${version}.cdx.json`));
}

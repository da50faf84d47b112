import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programOnPath } from '../../test/support/program-on-path.ts';
import { runCommand } from '../../test/support/run-command.ts';
import { run } from '../check-clients/commands.ts';
import type { ContainerEngine } from './container-engine.ts';

const TAG = 'jobgate-stand-in-base';
const QUIET = ['--no-save', '--no-audit', '--no-fund', '--silent'];
const AUTHORITIES = '/etc/ssl/certs/build-machine.pem';

/** Whether this machine can make one. */
export async function canStandIn(): Promise<boolean> {
  return process.getuid?.() === 0 && (await programOnPath(['debootstrap'])) !== undefined;
}

/**
 * An image that stands in for the base image where no registry of images can be reached: Debian by `debootstrap`, and
 * Node.js and npm from their packages. It trusts the authorities that this machine adds for Node.js.
 *
 * @returns its tag.
 * @throws Error when a step fails.
 */
export async function standInBase(engine: ContainerEngine): Promise<string> {
  const { succeeded } = await runCommand('docker', ['image', 'inspect', TAG]);
  if (succeeded) return TAG;
  const folder = await mkdtemp(join(tmpdir(), 'jobgate-base-'));
  const root = join(folder, 'root');
  try {
    const [mirror = '', suite = ''] = await debianSource();
    const debootstrap = ['--variant=minbase', '--include=ca-certificates', suite, root, mirror];
    const made = await runCommand('debootstrap', debootstrap);
    if (!made.succeeded) throw new Error(made.output);
    await addNode(folder, root);
    await run('chroot', [root, 'useradd', '--uid', '1000', '--create-home', 'node']);
    const own = process.env['NODE_EXTRA_CA_CERTS'];
    if (own !== undefined) await cp(own, join(root, AUTHORITIES));
    await run('tar', ['--create', '--file', join(folder, 'root.tar'), '--directory', root, '.']);
    const change = own === undefined ? [] : ['--change', `ENV NODE_EXTRA_CA_CERTS=${AUTHORITIES}`];
    await engine.run('import', ...change, join(folder, 'root.tar'), TAG);
    return TAG;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where this machine gets its packages from, and of which suite. */
async function debianSource(): Promise<readonly string[]> {
  const columns = ['--format', '$(REPO_URI) $(CODENAME)', 'Created-By: Packages'];
  const { output } = await runCommand('apt-get', ['indextargets', ...columns]);
  const line = output.split('\n').find((each) => !/-(?:updates|security|backports)\b/.test(each));
  if (!line) throw new Error('apt-get names no source of packages');
  return line.split(' ');
}

async function addNode(folder: string, root: string): Promise<void> {
  const node = `node-${process.platform}-${process.arch}`;
  await run('npm', ['install', '--prefix', folder, ...QUIET, `${node}@24`, 'npm@11']);
  const local = join(root, 'usr/local');
  await cp(join(folder, 'node_modules', node, 'bin/node'), join(local, 'bin/node'));
  await mkdir(join(local, 'lib/node_modules'), { recursive: true });
  await cp(join(folder, 'node_modules/npm'), join(local, 'lib/node_modules/npm'), {
    recursive: true,
  });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
}

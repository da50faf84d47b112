import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, type CommandResult } from './run-command.ts';

/** No question is asked, and another installation that is under way is waited for. */
const APT_INSTALL = ['install', '-y', '-o', 'DPkg::Lock::Timeout=120'];

/** Two updates at once, of test files that run side by side, would make one of them fail. */
const UPDATE_LOCK = join(tmpdir(), 'jobgate-apt-update.lock');

/**
 * Installs a package on Debian, Ubuntu and their kin, as root or with `sudo` without a password, and says so.
 *
 * @param missing what is not there, for the line that says so.
 * @returns whether the package is installed now.
 */
export async function installDebianPackage(name: string, missing: string): Promise<boolean> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  if (!/^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release)) return false;
  if ((await rootPrefix()) === undefined) return false;

  console.log(
    `No ${missing} on the PATH: installing the package ${name} (apt-get update, apt-get install)`,
  );
  await runAsRoot('flock', UPDATE_LOCK, 'apt-get', 'update');
  const { succeeded, output } = await runAsRoot('apt-get', ...APT_INSTALL, name);
  if (!succeeded) {
    console.log(`apt-get could not install ${name}: ${output.trim().split('\n').at(-1) ?? ''}`);
  }
  return succeeded;
}

/** Installs a package as `installDebianPackage` does, and stops and disables the service that comes with it. */
export async function installWithoutService(name: string, missing: string): Promise<boolean> {
  if (!(await installDebianPackage(name, missing))) return false;
  await runAsRoot('service', name, 'stop');
  await runAsRoot('update-rc.d', name, 'disable');
  return true;
}

/** Runs a command as root. Without the right to, it fails. */
export async function runAsRoot(...args: readonly string[]): Promise<CommandResult> {
  const prefix = await rootPrefix();
  if (prefix === undefined) return { succeeded: false, output: 'Only root may do this' };
  return runCommand('env', [...prefix, ...args]);
}

/** What `env` is given to run a command as root, undefined without the right to. */
async function rootPrefix(): Promise<readonly string[] | undefined> {
  const noQuestions = 'DEBIAN_FRONTEND=noninteractive';
  if (process.getuid?.() === 0) return [noQuestions];
  const { succeeded } = await runCommand('sudo', ['-n', 'true']);
  return succeeded ? ['sudo', '-n', noQuestions] : undefined;
}

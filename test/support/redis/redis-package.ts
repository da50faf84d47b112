import { readFile } from 'node:fs/promises';
import { runCommand } from './run-command.ts';

const PACKAGE = 'redis-server';

/** No question is asked, and another installation that is under way is waited for. */
const APT_INSTALL = ['install', '-y', '-o', 'DPkg::Lock::Timeout=120', PACKAGE];

/**
 * Installs Redis on Debian, Ubuntu and their kin, as root or with `sudo` without a password. The
 * distribution may start a service with it: that is stopped and disabled, since the tests run
 * processes of their own.
 *
 * @returns whether the package is installed now.
 */
export async function installRedisPackage(): Promise<boolean> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  if (!/^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release)) return false;
  const prefix = await rootPrefix();
  if (prefix === undefined) return false;

  console.log(
    `No redis-server or valkey-server on the PATH: installing the package ${PACKAGE} ` +
      '(apt-get update, apt-get install)',
  );
  const root = (...args: string[]) => runCommand('env', [...prefix, ...args]);
  await root('apt-get', 'update');
  const { succeeded, output } = await root('apt-get', ...APT_INSTALL);
  if (!succeeded) {
    console.log(`apt-get could not install ${PACKAGE}: ${output.trim().split('\n').at(-1) ?? ''}`);
    return false;
  }
  await root('service', PACKAGE, 'stop');
  await root('update-rc.d', PACKAGE, 'disable');
  return true;
}

/** What `env` is given to run a command as root, undefined without the right to. */
async function rootPrefix(): Promise<readonly string[] | undefined> {
  const noQuestions = 'DEBIAN_FRONTEND=noninteractive';
  if (process.getuid?.() === 0) return [noQuestions];
  const { succeeded } = await runCommand('sudo', ['-n', 'true']);
  return succeeded ? ['sudo', '-n', noQuestions] : undefined;
}

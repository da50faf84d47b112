import type { Say } from './find-store.ts';
import type { RunCommand } from './run-command.ts';

export interface DebianPackageSeams {
  /** Text of /etc/os-release, empty where there is none. */
  readonly osRelease: () => Promise<string>;
  readonly isRoot: boolean;
  readonly run: RunCommand;
  readonly say: Say;
}

const PACKAGE = 'redis-server';

/**
 * Installs Redis on Debian, Ubuntu and their kin, given the right to. True when it is installed.
 * The distribution may start a service with it: that is stopped and disabled, the tests run their
 * own process on a port of its own.
 */
export async function installRedisPackage(seams: DebianPackageSeams): Promise<boolean> {
  const { osRelease, run, say } = seams;
  if (!isDebianLike(await osRelease())) return false;
  const asRoot = await rootPrefix(seams);
  if (asRoot === undefined) return false;

  const root = (...args: string[]) => {
    const [command = '', ...rest] = [...asRoot, ...args];
    return run(command, rest);
  };
  say(`No Redis found, installing the package ${PACKAGE} (apt-get update, apt-get install)`);
  await root('apt-get', 'update');
  const installed = await root(...APT_INSTALL, PACKAGE);
  if (!installed.succeeded) {
    say(`apt-get could not install ${PACKAGE}: ${lastLine(installed.output)}`);
    return false;
  }
  await root('service', PACKAGE, 'stop');
  await root('update-rc.d', PACKAGE, 'disable');
  return true;
}

/** No question is asked, and another installation that is under way is waited for. */
const APT_INSTALL = [
  'env',
  'DEBIAN_FRONTEND=noninteractive',
  'apt-get',
  'install',
  '-y',
  '-o',
  'DPkg::Lock::Timeout=120',
];

function isDebianLike(osRelease: string): boolean {
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(osRelease);
}

/** What to put before a command to run it as root, or undefined without the right to. */
async function rootPrefix({ isRoot, run }: DebianPackageSeams): Promise<string[] | undefined> {
  if (isRoot) return [];
  const sudo = await run('sudo', ['-n', 'true']);
  return sudo.succeeded ? ['sudo', '-n'] : undefined;
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}

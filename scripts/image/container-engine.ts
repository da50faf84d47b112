import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runCommand } from '../../test/support/run-command.ts';

const execute = promisify(execFile);

/** A build installs packages, which takes minutes on a slow machine. */
const TIMEOUT = 900_000;
/** In bytes: builds print what they do. */
const MOST_OUTPUT = 64 * 1024 * 1024;

/** What is known of an image before it is built. */
export interface ImageBuild {
  /** The folder of the Dockerfile. */
  readonly folder: string;
  /** Such as `jobgate:0.2.0`. */
  readonly tag: string;
  readonly revision: string;
  /** A local image in place of the one that the Dockerfile names. Its engine may have no bridge: it uses the host's. */
  readonly base?: string | undefined;
}

/** The container engine of this machine, by its command line. */
export class ContainerEngine {
  /** undefined where no engine answers. */
  static async running(): Promise<ContainerEngine | undefined> {
    const { succeeded } = await runCommand('docker', [
      'version',
      '--format',
      '{{.Server.Version}}',
    ]);
    return succeeded ? new ContainerEngine() : undefined;
  }

  /** Runs a command of the engine. @returns what it prints. @throws Error with that when it fails. */
  async run(...args: readonly string[]): Promise<string> {
    try {
      const { stdout } = await execute('docker', args, {
        timeout: TIMEOUT,
        maxBuffer: MOST_OUTPUT,
      });
      return stdout.trim();
    } catch (error) {
      const { stderr } = error as { stderr?: string };
      throw new Error(`docker ${args.join(' ')}: ${stderr?.trim()}`, { cause: error });
    }
  }

  /** Builds an image for the processor of this machine. */
  async build(image: ImageBuild): Promise<void> {
    await this.run('build', ...argumentsOf(image), '--tag', image.tag, image.folder);
  }

  /** Those of the platforms that the engine can build for in one go; empty when it builds for its own alone. */
  async platforms(wanted: readonly string[]): Promise<readonly string[]> {
    const { succeeded, output } = await runCommand('docker', ['buildx', 'inspect']);
    // The driver `docker` stores no image of several platforms.
    if (!succeeded || !/^Driver:\s+docker-container$/m.test(output)) return [];
    const able = /^Platforms:\s+(.+)$/m.exec(output)?.[1]?.split(/,\s*/) ?? [];
    return wanted.filter((platform) => able.some((each) => each.replace('*', '') === platform));
  }

  /** Builds an OCI archive for several platforms. */
  async buildArchive(image: ImageBuild, platforms: readonly string[], file: string): Promise<void> {
    await this.run(
      ...[
        'buildx',
        'build',
        '--platform',
        platforms.join(','),
        '--output',
        `type=oci,dest=${file}`,
      ],
      ...argumentsOf(image),
      image.folder,
    );
  }
}

function argumentsOf({ revision, base }: ImageBuild): readonly string[] {
  return [
    ...['--build-arg', `REVISION=${revision}`],
    ...(base === undefined ? [] : ['--build-arg', `NODE_IMAGE=${base}`, '--network', 'host']),
  ];
}

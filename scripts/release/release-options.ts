import { parseArgs } from 'node:util';
import { isReleaseVersion } from './release-version.ts';

export interface ReleaseOptions {
  readonly version: string;
  /** Builds everything, and leaves the checkout as it is. */
  readonly isDryRun: boolean;
  /** The caller says that the gate and the slow lane of the tests passed for this commit, elsewhere. */
  readonly gatePassed: boolean;
  readonly withImage: boolean;
  /** A local image that stands in for the base image, where no registry can be reached. */
  readonly base: string | undefined;
}

export const RELEASE_USAGE = `Usage: npm run release -- VERSION [--dry-run] [--gate-passed] [--no-image] [--base IMAGE]

  --dry-run      builds everything into dist/release, and changes nothing else
  --gate-passed  .ci/run and npm run test:slow passed for this commit on another machine; otherwise they have to pass here first
  --no-image     leaves the image out
  --base IMAGE   a local stand-in for the base image; what is built on it is for trials only`;

/** @throws Error that says what is wrong with the command line. */
export function releaseOptions(args: readonly string[]): ReleaseOptions {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      'gate-passed': { type: 'boolean', default: false },
      'no-image': { type: 'boolean', default: false },
      base: { type: 'string' },
    },
  });
  const [version, ...others] = positionals;
  if (version === undefined || others.length > 0 || !isReleaseVersion(version)) {
    throw new Error('Name one version, such as 0.2.0');
  }
  return {
    version,
    isDryRun: values['dry-run'],
    gatePassed: values['gate-passed'],
    withImage: !values['no-image'],
    base: values.base,
  };
}

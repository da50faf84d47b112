import { join } from 'node:path';
import { ContainerEngine } from '../image/container-engine.ts';
import { writeOciArchive } from '../image/oci-archive.ts';
import { git } from './git.ts';

/** What the image is built for where the engine can. */
const PLATFORMS = ['linux/amd64', 'linux/arm64'];

/**
 * Builds the image of a checkout as an OCI archive, for both platforms where the engine can.
 *
 * @param base a local stand-in for the base image.
 * @returns the name of the file; undefined where no engine answers.
 */
export async function buildImage(
  folder: string,
  version: string,
  output: string,
  base: string | undefined,
): Promise<string | undefined> {
  const engine = await ContainerEngine.running();
  if (engine === undefined) return undefined;
  const revision = git(folder, 'rev-parse', 'HEAD');
  const image = { folder, tag: `jobgate:${version}`, revision, base };
  const file = `jobgate-${version}-image.tar`;
  const platforms = await engine.platforms(PLATFORMS);
  if (platforms.length > 1) {
    await engine.buildArchive(image, platforms, join(output, file));
  } else {
    await engine.build(image);
    await writeOciArchive(engine, image.tag, version, join(output, file));
  }
  return file;
}

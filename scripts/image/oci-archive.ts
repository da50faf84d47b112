import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { runCommand } from '../../test/support/run-command.ts';
import type { ContainerEngine } from './container-engine.ts';

const compressed = promisify(gzip);

const TYPES = {
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
};

/** How one part of an image refers to another (OCI image specification, descriptors). */
interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** What the engine says of an image that it saved. */
interface Saved {
  readonly Config: string;
  readonly Layers: readonly string[];
}

/**
 * Writes an image of the engine as an archive of the OCI image layout, which every engine and registry takes.
 *
 * @throws Error when the engine does not have it.
 */
export async function writeOciArchive(
  engine: ContainerEngine,
  tag: string,
  version: string,
  file: string,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'jobgate-image-'));
  const [saved, layout] = [join(folder, 'saved'), join(folder, 'layout')];
  try {
    await mkdir(saved);
    await mkdir(join(layout, 'blobs/sha256'), { recursive: true });
    const archive = join(folder, 'saved.tar');
    await engine.run('save', '--output', archive, tag);
    await tar('--extract', '--file', archive, '--directory', saved);
    const manifest = await writeImage(saved, layout);
    const named = { ...manifest, annotations: { 'org.opencontainers.image.ref.name': version } };
    const index = { schemaVersion: 2, mediaType: TYPES.index, manifests: [named] };
    await writeFile(join(layout, 'index.json'), JSON.stringify(index));
    await writeFile(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
    await tar('--create', '--file', file, '--directory', layout, ...(await readdir(layout)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeImage(saved: string, layout: string): Promise<Descriptor> {
  const images = JSON.parse(
    await readFile(join(saved, 'manifest.json'), 'utf8'),
  ) as readonly Saved[];
  const [image] = images;
  if (image === undefined) throw new Error('The engine saved no image');
  const config = await writeBlob(layout, TYPES.config, await readFile(join(saved, image.Config)));
  const layers: Descriptor[] = [];
  for (const path of image.Layers) {
    const bytes = await compressed(await readFile(join(saved, path)));
    layers.push(await writeBlob(layout, TYPES.layer, bytes));
  }
  const manifest = { schemaVersion: 2, mediaType: TYPES.manifest, config, layers };
  return writeBlob(layout, TYPES.manifest, Buffer.from(JSON.stringify(manifest)));
}

async function writeBlob(layout: string, mediaType: string, bytes: Buffer): Promise<Descriptor> {
  const digest = createHash('sha256').update(bytes).digest('hex');
  await writeFile(join(layout, 'blobs/sha256', digest), bytes);
  return { mediaType, digest: `sha256:${digest}`, size: bytes.length };
}

async function tar(...args: readonly string[]): Promise<void> {
  const { succeeded, output } = await runCommand('tar', args);
  if (!succeeded) throw new Error(`tar: ${output}`);
}

import { createRequire } from 'node:module';

/** The version of this service, from its package. */
export function version(): string {
  const manifest = createRequire(import.meta.url)('../../package.json') as { version: string };
  return manifest.version;
}

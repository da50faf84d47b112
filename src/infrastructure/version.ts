import manifest from '../../package.json' with { type: 'json' };

/** The version of this service, from its package.json. */
export function version(): string {
  return manifest.version;
}

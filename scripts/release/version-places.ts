/** Where the version stands, by file: what is around it, with `$` for the version. */
export const VERSION_PLACES: Readonly<Record<string, readonly string[]>> = {
  'package.json': ['"version": "$"'],
  'package-lock.json': [
    '"name": "jobgate",\n  "version": "$"',
    '"name": "jobgate",\n      "version": "$"',
    '"name": "jobgate-client",\n      "version": "$"',
  ],
  'clients/typescript/package.json': ['"version": "$"'],
  'clients/typescript/package-lock.json': [
    '"name": "jobgate-client",\n  "version": "$"',
    '"name": "jobgate-client",\n      "version": "$"',
  ],
  'clients/typescript/README.md': ['jobgate-client-$.tgz'],
  'clients/python/pyproject.toml': ['version = "$"'],
  'docs/openapi.json': ['"version": "$"'],
  'docs/deployment.md': ['jobgate:$', 'jobgate-$.tgz'],
  'docs/workers.md': ['user-agent: jobgate/$'],
  'README.md': ['version=$'],
  Dockerfile: ['image.version="$"'],
  'deploy/kubernetes/base/kustomization.yaml': ['newTag: $'],
};

/**
 * A file with another version in each of its places.
 *
 * @throws Error when a place is missing.
 */
export function withVersion(path: string, text: string, before: string, after: string): string {
  return (VERSION_PLACES[path] ?? []).reduce((changed, place) => {
    const old = place.replace('$', before);
    if (!changed.includes(old)) throw new Error(`${path} has no ${JSON.stringify(old)}`);
    return changed.replaceAll(old, place.replace('$', after));
  }, text);
}

import { NAMES, type PublicName } from './names.ts';

interface Step {
  readonly command: string;
  /** What it publishes under. */
  readonly name?: PublicName;
}

/**
 * What to publish where, and in which order: services before clients, as they are upgraded, and the tag, which
 * announces them, last.
 *
 * @param image the file of the image; undefined when none was built.
 */
export function publishing(version: string, image: string | undefined): string {
  const { service, typescript, python, image: registry } = NAMES;
  const files = 'dist/release';
  const steps: readonly Step[] = [
    { command: 'git push origin HEAD' },
    ...(image === undefined
      ? []
      : [{ command: copyImage(`${files}/${image}`, version), name: registry }]),
    { command: `npm publish ${files}/jobgate-${version}.tgz`, name: service },
    {
      command: `twine upload ${files}/jobgate-${version}.tar.gz ${files}/jobgate-${version}-py3-none-any.whl`,
      name: python,
    },
    { command: `npm publish ${files}/jobgate-client-${version}.tgz`, name: typescript },
    { command: 'npm run site, and copy dist/site beside the versions that are served' },
    { command: `git push origin v${version}, and attach all files of ${files} to the release` },
  ];
  const lines = steps.flatMap(({ command, name }, index) => [
    `  ${index + 1}. ${command}`,
    ...(name === undefined || name.isOurs ? [] : [`     ${notOurs(name)}`]),
  ]);
  return ['Publish in this order:', ...lines].join('\n');
}

function copyImage(file: string, version: string): string {
  return `skopeo copy --all oci-archive:${file} docker://${NAMES.image.name}:${version}`;
}

function notOurs({ where, name }: PublicName): string {
  return `Not yet: ${name} on ${where} is not ours. Register it, then set isOurs in scripts/release/names.ts.`;
}

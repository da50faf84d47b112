/** A name under which something is published. */
export interface PublicName {
  readonly where: string;
  readonly name: string;
  /** Whether the owner of this project has it. Until then nothing may be published under it, nor documented so. */
  readonly isOurs: boolean;
}

/** The owner sets `isOurs` once the name is registered. */
export const NAMES: Readonly<Record<'service' | 'typescript' | 'python' | 'image', PublicName>> = {
  service: { where: 'npm', name: 'jobgate', isOurs: false },
  typescript: { where: 'npm', name: 'jobgate-client', isOurs: false },
  python: { where: 'PyPI', name: 'jobgate', isOurs: false },
  image: { where: 'an image registry', name: 'registry.example.com/jobgate', isOurs: false },
};

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from './git.ts';
import { writeVersion } from './write-version.ts';

/** A clone of a checkout in which a release is made, so that nothing changes in the checkout before all is built. */
export class ReleaseCheckout {
  readonly #origin: string;
  readonly folder: string;

  private constructor(origin: string, folder: string) {
    this.#origin = origin;
    this.folder = folder;
  }

  /** Clones the latest commit and commits the version on it. */
  static async create(origin: string, version: string, date: string): Promise<ReleaseCheckout> {
    const folder = mkdtempSync(join(tmpdir(), 'jobgate-release-'));
    const checkout = new ReleaseCheckout(origin, folder);
    try {
      git(origin, 'clone', '--quiet', '.', folder);
      await writeVersion(folder, version, date);
      const author = ['name', 'email'].flatMap((key) => [
        '-c',
        `user.${key}=${checkout.#user(key)}`,
      ]);
      git(folder, ...author, 'commit', '--quiet', '--all', '--message', `Release ${version}`);
    } catch (error) {
      checkout.remove();
      throw error;
    }
    return checkout;
  }

  #user(key: string): string {
    return git(this.#origin, 'config', `user.${key}`);
  }

  /** Brings the commit to the checkout that was cloned, and tags it there. */
  bringHome(version: string): void {
    git(this.#origin, 'fetch', '--quiet', this.folder, 'HEAD');
    git(this.#origin, 'merge', '--quiet', '--ff-only', 'FETCH_HEAD');
    git(this.#origin, 'tag', `v${version}`);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

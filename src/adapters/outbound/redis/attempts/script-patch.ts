import manifest from 'bullmq/package.json' with { type: 'json' };
import type { Script } from '../connection/scripts.ts';

/** The version whose scripts the patches were written for and tested with. */
export const PINNED_VERSION = '6.7.0';

/** One textual change to a script of the library. `find` must stand in it exactly once. */
export interface Patch {
  readonly purpose: string;
  readonly find: string;
  readonly replace: string;
}

/** As the library has it. */
export interface LibraryScript {
  readonly name: string;
  readonly content: string;
  readonly keys: number;
}

/**
 * @throws Error that names the script and the patch when the installed library is not the one the
 * patches are for. A queue must not be run by scripts that nobody has tested.
 */
export function patchScript(
  script: LibraryScript,
  patches: readonly Patch[],
  version: string = manifest.version,
): Script {
  if (version !== PINNED_VERSION) {
    throw new Error(
      `BullMQ ${version} is installed, but jobgate patches the scripts of ${PINNED_VERSION}: ` +
        `install that version, or see docs/adr/0003 for how to move to another`,
    );
  }
  let lua = script.content;
  for (const { find, replace, purpose } of patches) {
    const pieces = lua.split(find);
    if (pieces.length !== 2) {
      throw new Error(
        `BullMQ ${version}: the patch "${purpose}" fits the script ${script.name} ` +
          `${pieces.length - 1} times instead of once; see docs/adr/0003`,
      );
    }
    lua = pieces.join(replace);
  }
  return { name: script.name, lua, numberOfKeys: script.keys };
}

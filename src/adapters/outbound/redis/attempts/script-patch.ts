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
  // In pieces, since a script is long and has many patches: a copy for each of them made the start slower and larger.
  let pieces: readonly string[] = [script.content];
  for (const { find, replace, purpose } of patches) {
    let places = placesOf(find, pieces);
    // It may stand where an earlier patch ends.
    if (places.length === 0) {
      pieces = [pieces.join('')];
      places = placesOf(find, pieces);
    }
    const [place] = places;
    if (place === undefined || places.length > 1) {
      throw new Error(
        `BullMQ ${version}: the patch "${purpose}" fits the script ${script.name} ` +
          `${places.length} times instead of once; see docs/adr/0003`,
      );
    }
    const { index, piece, at } = place;
    const [head, tail] = [piece.slice(0, at), piece.slice(at + find.length)];
    pieces = pieces.toSpliced(index, 1, head, replace, tail);
  }
  return { name: script.name, lua: pieces.join(''), numberOfKeys: script.keys };
}

/** One place where a text stands: in which piece, and where that begins to be the text. */
interface Place {
  readonly index: number;
  readonly piece: string;
  readonly at: number;
}

function placesOf(find: string, pieces: readonly string[]): readonly Place[] {
  return pieces.flatMap((piece, index) => {
    const places: Place[] = [];
    for (let at = piece.indexOf(find); at !== -1; at = piece.indexOf(find, at + find.length)) {
      places.push({ index, piece, at });
    }
    return places;
  });
}

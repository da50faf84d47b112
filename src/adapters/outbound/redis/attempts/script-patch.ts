import manifest from 'bullmq/package.json' with { type: 'json' };
import type { Script } from '../connection/scripts.ts';

/** The version that the patches were written for and tested with. */
export const PINNED_VERSION = '6.7.0';

/** One textual change to a script of the library. `find` must occur in it exactly once. */
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
 * @throws Error that names the script and the patch when the installed library is not the one that the patches are for.
 * Untested scripts must not run a queue.
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
  // In pieces: a script is long and has many patches, and a copy for each of them made the start slower and larger.
  let pieces: readonly string[] = [script.content];
  for (const { find, replace, purpose } of patches) {
    let occurrences = occurrencesOf(find, pieces);
    // The text may begin where an earlier patch ends.
    if (occurrences.length === 0) {
      pieces = [pieces.join('')];
      occurrences = occurrencesOf(find, pieces);
    }
    const [occurrence] = occurrences;
    if (occurrence === undefined || occurrences.length > 1) {
      throw new Error(
        `BullMQ ${version}: the patch "${purpose}" fits the script ${script.name} ` +
          `${occurrences.length} times instead of once; see docs/adr/0003`,
      );
    }
    const { index, piece, at } = occurrence;
    const [head, tail] = [piece.slice(0, at), piece.slice(at + find.length)];
    pieces = pieces.toSpliced(index, 1, head, replace, tail);
  }
  return { name: script.name, lua: pieces.join(''), numberOfKeys: script.keys };
}

/** One occurrence of a text: the piece, and the offset in it. */
interface Occurrence {
  readonly index: number;
  readonly piece: string;
  readonly at: number;
}

function occurrencesOf(find: string, pieces: readonly string[]): readonly Occurrence[] {
  return pieces.flatMap((piece, index) => {
    const occurrences: Occurrence[] = [];
    for (let at = piece.indexOf(find); at !== -1; at = piece.indexOf(find, at + find.length)) {
      occurrences.push({ index, piece, at });
    }
    return occurrences;
  });
}

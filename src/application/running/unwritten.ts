import { isStoreUnavailable } from '../../domain/errors.ts';
import { piecesOf } from '../../domain/values/pieces.ts';

/** How many are written at once, at most. */
const AT_ONCE = 50;

/** Figures in memory. */
export interface Unwritten {
  /** Whether some have not been written yet. */
  isNew: boolean;
}

/** Writes figures, unless all of them are; they count as written from the start, so that later ones are not lost. */
export async function written(figures: Unwritten, save: () => Promise<void>): Promise<void> {
  if (!figures.isNew) return;
  figures.isNew = false;
  try {
    await save();
  } catch (error) {
    figures.isNew = true;
    throw error;
  }
}

/**
 * Writes many, some at once, until the store is away. Any other failure is reported, and keeps none of the others from
 * being written.
 *
 * @returns false when the store is away.
 */
export async function writtenEach<Item>(
  items: readonly Item[],
  write: (item: Item) => Promise<void>,
  report: (error: unknown, item: Item) => void,
): Promise<boolean> {
  const isWritten = async (item: Item): Promise<boolean> => {
    try {
      await write(item);
    } catch (error) {
      if (isStoreUnavailable(error)) return false;
      report(error, item);
    }
    return true;
  };
  for (const some of piecesOf(items, AT_ONCE)) {
    if ((await Promise.all(some.map(isWritten))).includes(false)) return false;
  }
  return true;
}

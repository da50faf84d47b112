import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** For how long (ms) a shortage of file descriptors may explain failures: lookups wait for others, and report late. */
const EXPLAINS_FOR = 1000;

/** When the process last lacked a descriptor. All of its parts share them. */
let lastShortage = Number.NEGATIVE_INFINITY;

/** A descriptor could not be opened. */
export function noteShortage(): void {
  lastShortage = performance.now();
}

/**
 * Whether the process lacks file descriptors, or did a moment ago. The lookup of a name then fails with any code, even
 * with that of an unknown name.
 */
export function lacksDescriptors(): boolean {
  if (performance.now() - lastShortage < EXPLAINS_FOR) return true;
  try {
    closeSync(openSync(devNull, 'r'));
    return false;
  } catch {
    noteShortage();
    return true;
  }
}

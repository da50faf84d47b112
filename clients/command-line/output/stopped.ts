import type { Stop } from 'jobgate-client';
import { timeAndDistance } from './times.ts';

/** Who paused or held something, since when and why; empty where that is not known. */
export function stopInWords(stop: Stop | undefined): string {
  if (stop === undefined) return '';
  const { by, at, reason } = stop;
  return `${by} since ${timeAndDistance(at)}${reason === null ? '' : `: ${reason}`}`;
}

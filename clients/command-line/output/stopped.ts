import type { Stop } from 'jobgate-client';
import { timeAndDistance } from './times.ts';

/** A stop in words: its caller, its time and its reason; empty where these are not known. */
export function stopInWords(stop: Stop | undefined): string {
  if (stop === undefined) return '';
  const { by, at, reason } = stop;
  return `${by} since ${timeAndDistance(at)}${reason === null ? '' : `: ${reason}`}`;
}

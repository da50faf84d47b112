import { counted } from '../errors.ts';
import { jsonText, type Json, type JsonText } from '../values/json.ts';
import { fitsInBytes } from '../values/text.ts';

/** Returns the mistake in data that exceeds `maxJobSize` (bytes) of its queue; undefined when it fits. */
export function mistakeInSize(data: Json | JsonText, most: number | undefined): string | undefined {
  if (most === undefined || fitsInBytes(jsonText(data), most)) return undefined;
  return `must be of at most ${counted(most, 'byte')} (maxJobSize of the policy)`;
}

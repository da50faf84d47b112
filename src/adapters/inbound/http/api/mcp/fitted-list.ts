import { boundedFields } from './bounded-job.ts';
import type { ToolData } from './tool.ts';

/** The most bytes of the result of a tool as a whole, about what a language model can read at once. */
export const MOST_BYTES = 50_000;

/** Bytes for the marks and notes of a result. */
const RESERVED = 2000;

/** The bytes that one entry of a list may take before its long fields are cut, and the characters that these keep. */
const MOST_OF_ENTRY = 8000;
const LONGEST_FIELD = 300;

/** A list within the data of an answer, from which a client may go on with a cursor. */
export interface ListPart {
  /** The field of the data that has the list. */
  readonly field: string;
  /** How many entries precede it. */
  readonly start: number;
  /** Whether the service has entries behind it. */
  readonly hasMore: boolean;
}

/** The data with as many entries of its list as fit into a result, and with a cursor if others follow. */
export function fittedList(data: object, { field, start, hasMore }: ListPart): ToolData {
  const { [field]: list, ...rest } = data as ToolData;
  const entries = list as readonly ToolData[];
  const shown: ToolData[] = [];
  let room = MOST_BYTES - RESERVED - bytesOf(rest);
  for (const entry of entries) {
    const short = bytesOf(entry) > MOST_OF_ENTRY ? boundedFields(entry, LONGEST_FIELD) : entry;
    room -= bytesOf(short);
    if (room < 0 && shown.length > 0) break;
    shown.push(short);
  }
  const goesOn = hasMore || shown.length < entries.length;
  return { ...rest, [field]: shown, ...(goesOn && { cursor: String(start + shown.length) }) };
}

/** A result has its data twice: as it is, and as text, in which all quotes are escaped. */
function bytesOf(value: unknown): number {
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

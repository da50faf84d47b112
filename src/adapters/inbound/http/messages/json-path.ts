import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  endOfString,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from '../../exchange/json-bytes.ts';
import type { Path } from './mistakes.ts';

/** An open array or object. */
interface Container {
  readonly isObject: boolean;
  /** The index of the element. */
  index: number;
  /** True until the colon of a member. */
  awaitsName: boolean;
  /** Where the name of the member begins and ends. */
  name: readonly [start: number, end: number];
}

/**
 * The paths of the values that begin at the given indices, which are in order.
 *
 * @param bytes valid JSON text.
 */
export function pathsOf(bytes: Buffer, indices: readonly number[]): readonly Path[] {
  const paths: Path[] = [];
  const open: Container[] = [];
  for (let index = 0; paths.length < indices.length && index < bytes.length; index += 1) {
    if (index === indices[paths.length])
      paths.push(open.map((container) => step(bytes, container)));
    const byte = bytes[index];
    const container = open.at(-1);
    if (byte === QUOTE) {
      const end = endOfString(bytes, index);
      if (container?.awaitsName === true) container.name = [index, end + 1];
      index = end;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      const isObject = byte === OPEN_OBJECT;
      open.push({ isObject, index: 0, awaitsName: isObject, name: [0, 0] });
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      open.pop();
    } else if (container !== undefined && byte === COLON) {
      container.awaitsName = false;
    } else if (container !== undefined && byte === COMMA) {
      container.index += 1;
      container.awaitsName = container.isObject;
    }
  }
  return paths;
}

function step(bytes: Buffer, { isObject, index, name }: Container): string | number {
  return isObject ? (JSON.parse(bytes.toString('utf8', ...name)) as string) : index;
}

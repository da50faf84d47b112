import { parsedJson } from '../../domain/values/json.ts';

/** The cursor for a position in a scan, opaque to clients. */
export function cursorText(position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The position, undefined when the text was not made by `cursorText`. */
export function cursorPlace(text: string): readonly unknown[] | undefined {
  const position = parsedJson(Buffer.from(text, 'base64url').toString());
  return Array.isArray(position) ? position : undefined;
}

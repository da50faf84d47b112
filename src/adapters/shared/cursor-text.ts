/** A place in a scan as its client keeps it, who is not to rely on what is in it. */
export function cursorText(place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** The place, undefined when the text was not made by `cursorText`. */
export function cursorPlace(text: string): readonly unknown[] | undefined {
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(place) ? place : undefined;
  } catch {
    return undefined;
  }
}

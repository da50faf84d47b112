/** The deepest nesting that is accepted, so that code that walks a value may recurse safely. */
export const MAX_DEPTH = 500;

/** The most values in one body: creating a value takes many times longer than reading its bytes. */
export const MAX_VALUES = 500_000;

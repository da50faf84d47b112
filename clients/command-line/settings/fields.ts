/** An object of JSON. */
export type Fields = Readonly<Record<string, unknown>>;

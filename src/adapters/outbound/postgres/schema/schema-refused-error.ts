/** The schema cannot be used as a store; the message is one line for the operator. */
export class SchemaRefusedError extends Error {
  override readonly name = 'SchemaRefusedError';
}

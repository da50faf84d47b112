/** The error a promise rejects with. @throws Error when it resolves instead. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Error) return outcome;
  throw new Error(`Expected a rejection with an Error, got ${String(outcome)}`);
}

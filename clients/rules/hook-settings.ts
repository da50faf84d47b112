/** The facts of a hook that a client does not choose. */
const OF_SERVICE = new Set([
  ...['id', 'createdAt', 'pause', 'pausedReason', 'unreadable', 'secret', 'note'],
]);

/** The fields of a hook that a client sets, from an answer of the API. */
export function settingsOfHook(
  hook: object & { readonly pause?: { readonly reason: string | null } | undefined },
): Readonly<Record<string, unknown>> {
  const settings = Object.entries(hook).filter(([name]) => !OF_SERVICE.has(name));
  const reason = hook.pause?.reason ?? null;
  return { ...Object.fromEntries(settings), ...(reason !== null && { reason }) };
}

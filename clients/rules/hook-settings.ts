/** The facts of a hook that a client does not choose. */
const OF_SERVICE = new Set(['id', 'createdAt', 'pausedReason', 'unreadable', 'secret', 'note']);

/** The fields of a hook that a client sets, from an answer of the API. */
export function settingsOfHook(hook: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(hook).filter(([name]) => !OF_SERVICE.has(name)));
}

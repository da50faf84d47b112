/**
 * The keys of the service's own that belong to no queue.
 *
 * A key of a queue is `<prefix>:<queue>:…`, whether it holds the queue itself or one of its jobs. A prefix has no
 * colon, and the name of a queue has none and is never empty, so the first colon of a queue's key is never followed by
 * another one. Own keys begin with `<prefix>::`: no queue and no job can have one. They share the prefix, and so the
 * hash slot of a `{tag}` and the pattern that an ACL allows.
 */
export function ownKey(prefix: string, name: string): string {
  return `${prefix}${OWN_KEY}${name}`;
}

/** Between the prefix and the name of an own key. */
export const OWN_KEY = '::jobgate:';

/** Whether a queue, one of its jobs or the service itself may have a key of that name. */
export function isReservedKey(prefix: string, key: string): boolean {
  return key.startsWith(`${prefix}:`) && key.includes(':', prefix.length + 1);
}

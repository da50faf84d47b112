import { hostname } from 'node:os';

/** `host:pid`, which distinguishes replicas and their processes. */
export function instanceName(): string {
  return `${hostname()}:${process.pid}`;
}

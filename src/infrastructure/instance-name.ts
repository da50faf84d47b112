import { hostname } from 'node:os';

/** `host:pid`, which tells replicas and their processes apart. */
export function instanceName(): string {
  return `${hostname()}:${process.pid}`;
}

import type { ServiceProcess } from './service-process.ts';

/** What a process holds that nothing has given up: objects in its heap, whether they keep it running or not. */
export interface Held {
  readonly timers: number;
  readonly sockets: number;
  /** In bytes, right after a collection. */
  readonly heap: number;
}

const SIGNAL = 'SIGUSR2';

const MESSAGE = 'held';

/** Runs in the service before it starts. To query objects collects the garbage first. */
const LOOK = `
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { queryObjects } from 'node:v8';
const Timer = setTimeout(() => undefined, 0).constructor;
const count = (type) => queryObjects(type, { format: 'count' });
let looks = 0;
process.on('${SIGNAL}', () => {
  const [timers, sockets] = [count(Timer), count(Socket)];
  const heap = process.memoryUsage().heapUsed;
  const message = '${MESSAGE} ' + (looks += 1);
  writeSync(1, JSON.stringify({ message, timers, sockets, heap }) + '\\n');
});
`;

/** What a service has to be started with to be looked into. */
export const LOOKED_INTO = {
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(LOOK)}`,
} as const;

/** Looks into a service that was started with LOOKED_INTO. */
export async function heldBy(service: ServiceProcess): Promise<Held> {
  const looks = service.logs.filter(({ message }) => message?.startsWith(`${MESSAGE} `));
  service.signal(SIGNAL);
  return (await service.logged(`${MESSAGE} ${looks.length + 1}`)) as unknown as Held;
}

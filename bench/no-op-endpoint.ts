import { NginxEndpoint } from './nginx-endpoint.ts';
import { ServerProcess } from './server-process.ts';

/** An endpoint that answers at once, in a process of its own: what is measured is the caller. */
export interface NoOpEndpoint {
  readonly url: string;
  /** What it is, for the report. */
  readonly name: string;
  stop(): Promise<void>;
}

/** nginx where there is one, which costs least; otherwise a bare server in Node.js. */
export async function startNoOpEndpoint(): Promise<NoOpEndpoint> {
  const nginx = await NginxEndpoint.start();
  const server =
    nginx ?? (await ServerProcess.start(['--import', 'tsx', 'bench/instant-endpoint.ts'], {}));
  return {
    url: `http://127.0.0.1:${server.port}/`,
    name: nginx?.name ?? 'a bare server in Node.js',
    stop: () => server.stop(),
  };
}

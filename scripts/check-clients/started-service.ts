import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface StartedService {
  readonly url: string;
  readonly token: string;
  stop(): void;
}

/** The built service on a free port, with its store in memory. @throws Error when it ends instead of listening. */
export async function startService(root: string): Promise<StartedService> {
  const token = 'secret';
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      STORE: 'memory',
      AUTH_TOKENS: token,
      PORT: '0',
      LOG_FORMAT: 'json',
      DRAIN_TIME: '0',
    },
  });
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise<number>((resolve, reject) => {
    lines.on('line', (line) => {
      const { message, port } = JSON.parse(line) as { message: string; port: number };
      if (message === 'jobgate is listening') resolve(port);
    });
    lines.on('close', () => reject(new Error('The service did not start')));
  });
  return { url: `http://127.0.0.1:${port}`, token, stop: () => child.kill() };
}

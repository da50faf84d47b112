import { once } from 'node:events';
import { connect } from 'node:net';

const PORT = 6379;

/** How long (ms) a Redis on this machine takes at most to answer. */
const PATIENCE = 500;

/** Whether a Redis answers at localhost: an error, such as that it wants a password, is an answer too. */
export async function hasLocalRedis(port = PORT): Promise<boolean> {
  const socket = connect({ port, host: 'localhost' });
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    await once(socket, 'connect', { signal });
    socket.write('PING\r\n');
    const [answer] = (await once(socket, 'data', { signal })) as [Buffer];
    return /^[+-]/.test(answer.toString('latin1'));
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

import { connect } from 'node:net';

const PORT = 6379;

/** How long (ms) a Redis on this machine takes at most to answer. */
const PATIENCE = 500;

/**
 * Whether a Redis answers at localhost: an error, such as that it wants a password, is an answer too; a connection that
 * is refused or closed is none.
 */
export async function hasLocalRedis(port = PORT): Promise<boolean> {
  const socket = connect({ port, host: 'localhost' }, () => socket.write('PING\r\n'));
  // Keeps the process alive, as a closed socket does not.
  const timer = setTimeout(() => socket.destroy(), PATIENCE);
  try {
    const answer = await new Promise<Buffer | undefined>((resolve) => {
      socket.once('data', resolve);
      socket.on('error', () => undefined);
      socket.once('close', () => resolve(undefined));
    });
    return answer !== undefined && /^[+-]/.test(answer.toString('latin1'));
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

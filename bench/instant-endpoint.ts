import { createServer, type AddressInfo } from 'node:net';

/*
 * An endpoint that costs next to nothing: it answers every request at once with the same bytes. What is
 * measured is the caller.
 */
const ANSWER = Buffer.from(
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"ok":true}',
);
const HEAD_END = '\r\n\r\n';

const server = createServer((socket) => {
  let pending = '';
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1');
    for (;;) {
      const end = pending.indexOf(HEAD_END);
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(pending.slice(0, end))?.[1] ?? 0);
      const whole = end + HEAD_END.length + length;
      if (pending.length < whole) return;
      pending = pending.slice(whole);
      socket.write(ANSWER);
    }
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
process.on('SIGTERM', () => process.exit(0));

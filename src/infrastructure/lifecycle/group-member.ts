import cluster from 'node:cluster';

/**
 * Used in a process of a group: its supervisor closes the port by disconnecting the processes. The servers of this
 * process then accept no more connections, and it stops in order, as it also does when the supervisor died.
 */
export function stopWithGroup(): void {
  const member = cluster.worker;
  if (member === undefined) return;
  // Without this, a disconnected process would exit at once.
  member.exitedAfterDisconnect = true;
  process.once('disconnect', () => {
    member.disconnect();
    process.kill(process.pid, 'SIGTERM');
  });
}

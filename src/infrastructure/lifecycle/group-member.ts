import cluster from 'node:cluster';

/**
 * In a process of a group: its supervisor closes the port by leaving all processes at once. Then the servers
 * of this one take no more connections, and the process stops in order, as it does when the supervisor died.
 */
export function stopWithGroup(): void {
  const member = cluster.worker;
  if (member === undefined) return;
  // Left alone, a process that was left exits at once.
  member.exitedAfterDisconnect = true;
  process.once('disconnect', () => {
    member.disconnect();
    process.kill(process.pid, 'SIGTERM');
  });
}

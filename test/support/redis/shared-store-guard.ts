import type { Redis } from 'ioredis';

/** Commands, with their subcommands where only those do harm, that change a server for all its clients. */
const REFUSED = new Map<string, readonly string[] | 'all'>([
  ['ACL', ['DELUSER', 'LOAD', 'SETUSER']],
  ['BGREWRITEAOF', 'all'],
  ['BGSAVE', 'all'],
  ['CLIENT', ['KILL', 'PAUSE', 'UNPAUSE']],
  ['CONFIG', ['RESETSTAT', 'REWRITE', 'SET']],
  ['DEBUG', 'all'],
  ['FAILOVER', 'all'],
  ['FLUSHALL', 'all'],
  ['FLUSHDB', 'all'],
  ['FUNCTION', ['DELETE', 'FLUSH', 'KILL', 'LOAD', 'RESTORE']],
  ['LATENCY', ['RESET']],
  ['MODULE', ['LOAD', 'LOADEX', 'UNLOAD']],
  ['MONITOR', 'all'],
  ['REPLICAOF', 'all'],
  ['SAVE', 'all'],
  ['SCRIPT', ['FLUSH', 'KILL']],
  ['SHUTDOWN', 'all'],
  ['SLAVEOF', 'all'],
  ['SLOWLOG', ['RESET']],
  ['SWAPDB', 'all'],
]);

/** Makes the connection to the store that all tests share refuse what would reach the other tests. */
export function guardSharedStore(client: Redis): void {
  const send = client.sendCommand.bind(client);
  client.sendCommand = (command, stream) => {
    const refused = refusedCommand(command.name, command.args[0]);
    if (refused === undefined) return send(command, stream);
    command.reject(
      new Error(
        `${refused} changes the store for all tests of the run: start a server of its own for this test (RedisServer.start)`,
      ),
    );
    return command.promise;
  };
}

/** The command as it is written, or undefined when it may be sent. */
function refusedCommand(name: string, first: unknown): string | undefined {
  const command = name.toUpperCase();
  const subcommands = REFUSED.get(command);
  if (subcommands === undefined) return undefined;
  if (subcommands === 'all') return command;
  const subcommand = String(first).toUpperCase();
  return subcommands.includes(subcommand) ? `${command} ${subcommand}` : undefined;
}

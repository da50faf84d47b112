import type { Command } from 'ioredis';

type CommandReply = Parameters<Command['resolve']>[0];

/** Commands that make a connection what it was configured to be; all others come after them. */
const COMMANDS = new Set(['auth', 'hello', 'select', 'client', 'readonly', 'info']);

/** Without these a connection is that of another user, or to another database, than configured. */
const ESSENTIAL = new Set(['auth', 'hello', 'select']);

/** Other words for an answer that tells more of the protocol than of the mistake. */
const NO_PASSWORD = /no password is set|without any password configured/;

/**
 * What the client library sends on a new connection before it counts as ready. The library goes on when
 * a SELECT was refused, and after some refusals of AUTH: all would be stored in another database, or as
 * another user. Here the refusal becomes the answer to the INFO that follows, which ends the connection;
 * the library then connects anew.
 */
export class Handshake {
  #refusal: Error | undefined;

  /** A new connection: nothing was refused yet. */
  begin(): void {
    this.#refusal = undefined;
  }

  /** @returns false for a command that is no part of the handshake. */
  take(command: Command): boolean {
    if (!COMMANDS.has(command.name)) return false;
    if (ESSENTIAL.has(command.name)) this.#watchRefusal(command);
    if (command.name === 'info') this.#watchInfo(command);
    return true;
  }

  #watchRefusal(command: Command): void {
    const reject = command.reject;
    command.reject = (error) => {
      this.#refusal ??= refusal(command.name, error);
      reject(this.#refusal);
    };
  }

  #watchInfo(command: Command): void {
    const { resolve, reject } = command;
    command.resolve = (reply: CommandReply): void => {
      if (this.#refusal === undefined) resolve(reply);
      else reject(this.#refusal);
    };
    command.reject = (error) => {
      // A user who may not ask for it goes without: the library would say so on the console.
      if (this.#refusal === undefined && error.message.startsWith('NOPERM')) resolve('');
      else reject(this.#refusal ?? error);
    };
  }
}

/** The library looks for codes such as NOPERM in what it is told, so the text goes without its code. */
function refusal(name: string, error: Error): Error {
  const text = NO_PASSWORD.test(error.message)
    ? 'the store asks for no password'
    : error.message.replace(/^[A-Z]+ /, '');
  return new Error(`${name.toUpperCase()} was refused: ${text}`);
}

import type { Command } from 'ioredis';

type CommandReply = Parameters<Command['resolve']>[0];

/** Commands that set up a connection as configured. They come before all others. */
const COMMANDS = new Set(['auth', 'hello', 'select', 'client', 'readonly', 'info']);

/** Commands without which a connection uses another user or database than configured. */
const ESSENTIAL = new Set(['auth', 'hello', 'select']);

/** Answers that describe the protocol rather than the mistake. They are replaced by a clearer message. */
const NO_PASSWORD = /no password is set|without any password configured/;

/**
 * The commands that the client library sends on a new connection before it counts as ready. The library ignores a
 * refused SELECT, and some refusals of AUTH, so that everything would be stored in another database or as another user.
 * Here the refusal becomes the answer to the next INFO, which ends the connection; the library then reconnects.
 */
export class Handshake {
  #refusal: Error | undefined;

  /** Begins a new connection, on which nothing has been refused yet. */
  begin(): void {
    this.#refusal = undefined;
  }

  /** @returns false for a command that is not part of the handshake. */
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
      // For a user without the permission the answer is empty, since the library would warn on the console.
      if (this.#refusal === undefined && error.message.startsWith('NOPERM')) resolve('');
      else reject(this.#refusal ?? error);
    };
  }
}

/** The library looks for codes such as NOPERM in error messages, so the code is removed. */
function refusal(name: string, error: Error): Error {
  const text = NO_PASSWORD.test(error.message)
    ? 'the store asks for no password'
    : error.message.replace(/^[A-Z]+ /, '');
  return new Error(`${name.toUpperCase()} was refused: ${text}`);
}

import { DomainError } from '../../domain/errors.ts';
import type { StoreBackup, StoreBackupPort } from '../ports/store-backup-port.ts';

/** Backups of a store that is a file (platform contract, section 15). */
export class StoreBackups {
  readonly #port: StoreBackupPort | undefined;
  #isRunning = false;

  /** @param port undefined for a store that is no file. */
  constructor(port: StoreBackupPort | undefined) {
    this.#port = port;
  }

  /**
   * Makes a copy, which is kept until the signal aborts. One at a time, since each takes as much room on the disk as the
   * store.
   *
   * @param ending aborts when the copy is not needed any more.
   * @throws DomainError `no-backup` for a store that is no file, `backup-running`, `store-full`, `store-unavailable`.
   */
  async make(ending: AbortSignal): Promise<StoreBackup> {
    if (this.#port === undefined) {
      throw new DomainError(
        'no-backup',
        'Only the embedded store has backups: back up Redis by its own means, and memory keeps nothing',
      );
    }
    if (this.#isRunning) throw new DomainError('backup-running', 'Another backup is running');
    this.#isRunning = true;
    const end = (): void => {
      this.#isRunning = false;
    };
    try {
      const backup = await this.#port.backUp(ending);
      if (ending.aborted) end();
      else ending.addEventListener('abort', end, { once: true });
      return backup;
    } catch (error) {
      end();
      throw error;
    }
  }
}

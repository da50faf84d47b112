import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import { storeFull } from '../../../domain/errors.ts';

/**
 * How much the disk takes: everything, only what its reserve was kept for, since nothing may add to the store, or nothing
 * at all.
 */
export type Room = 'enough' | 'reserve' | 'none';

/** The calls that work on a full disk, for the text of the refusal. */
const WORKS: Readonly<Record<Exclude<Room, 'enough'>, string>> = {
  reserve: 'reads, ends, control, and removing jobs one by one or by clean still work',
  none: 'only reads still work',
};

/** How often (ms) a full disk is asked whether it has room again. */
const INTERVAL = 1000;

/** Whether the disk has room, as the latest write found it. A full disk mends itself once there is room. */
export class DiskRoom {
  readonly #folder: string;
  readonly #mend: () => Promise<boolean>;
  readonly #logger: LoggerPort;
  #room: Room = 'enough';
  #timer: NodeJS.Timeout | undefined;

  /** @param mend makes room, and the reserve whole again. @returns whether it could. */
  constructor(folder: string, mend: () => Promise<boolean>, logger: LoggerPort) {
    this.#folder = folder;
    this.#mend = mend;
    this.#logger = logger;
  }

  get isFull(): boolean {
    return this.#room !== 'enough';
  }

  /** @param grows whether the change adds to the store. @throws DomainError `store-full` */
  check(grows: boolean): void {
    if (this.#room === 'none' || (grows && this.#room === 'reserve')) {
      throw storeFull(WORKS[this.#room]);
    }
  }

  note(room: Room): void {
    if (room === this.#room) return;
    const path = this.#folder;
    if (this.#room === 'enough') {
      this.#logger.error('STORE_PATH is full: what needs room is refused', { path });
    } else if (room === 'enough') {
      this.#logger.info('STORE_PATH has room again', { path });
    }
    this.#room = room;
    if (room !== 'enough') this.#timer ??= setInterval(() => void this.#ask(), INTERVAL);
    else this.stop();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Changes that did not fit into the reserve are written first; that write finds out whether there is room. */
  async #ask(): Promise<void> {
    const hasRoom = await this.#mend().catch(() => false);
    if (hasRoom && this.#room === 'reserve') this.note('enough');
  }
}

import type { Group, GroupSettings, GroupsPage, Held } from './api.ts';
import { at, Routes } from './routes.ts';
import type { CallOptions } from './transport.ts';

/** The groups of a queue. */
export class Groups extends Routes {
  /** Those with jobs or settings. */
  list(
    options?: CallOptions & {
      start?: number;
      length?: number;
      sort?: string;
      state?: string;
      id?: string;
    },
  ) {
    return this.read<GroupsPage>('', options);
  }

  /** Replaces the settings of a group. */
  put(id: string, settings: GroupSettings, options?: CallOptions) {
    return this.ask<Group>('PUT', at(id), { ...options, body: settings });
  }

  get(id: string, options?: CallOptions) {
    return this.read<Group>(at(id), options);
  }

  /** Removes the settings of a group; its jobs stay. */
  remove(id: string, options?: CallOptions) {
    return this.delete(at(id), options);
  }

  pause(id: string, options?: CallOptions & { reason?: string }) {
    return this.send(`${at(id)}/pause`, options);
  }

  resume(id: string, options?: CallOptions) {
    return this.send(`${at(id)}/resume`, options);
  }

  hold(id: string, ms: number, options?: CallOptions & { reason?: string }) {
    return this.send<Held>(`${at(id)}/hold`, { ...options, for: ms });
  }

  endHold(id: string, options?: CallOptions) {
    return this.delete(`${at(id)}/hold`, options);
  }
}

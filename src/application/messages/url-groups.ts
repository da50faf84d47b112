import { existing } from '../../domain/errors.ts';
import {
  groupEndpointsShape,
  removedEndpointsShape,
  urlGroupName,
  withEndpoints,
  withoutEndpoints,
  type GroupEndpoint,
  type RemovedEndpoint,
  type UrlGroup,
} from '../../domain/messages/url-group.ts';
import { byteOrder } from '../../domain/values/byte-order.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { eachRecord } from '../kept/each-record.ts';
import type { KeptUrlGroups } from '../kept/url-groups.ts';
import type { ClockPort } from '../ports/clock-port.ts';

/** A URL group with its name. */
export type NamedUrlGroup = UrlGroup & { readonly name: string };

export interface UrlGroupsDependencies {
  readonly urlGroups: KeptUrlGroups;
  readonly clock: Pick<ClockPort, 'now'>;
}

/** URL groups (further contract, section 24). Methods throw DomainError `store-unavailable`. */
export class UrlGroups {
  readonly #store: KeptUrlGroups;
  readonly #clock: Pick<ClockPort, 'now'>;

  constructor({ urlGroups, clock }: UrlGroupsDependencies) {
    this.#store = urlGroups;
    this.#clock = clock;
  }

  /**
   * Adds endpoints to a group, which is made by its first ones.
   *
   * @throws DomainError `invalid-request` naming the field, or `too-many-url-groups`.
   */
  async addEndpoints(name: string, endpoints: readonly GroupEndpoint[]): Promise<void> {
    checkShape(urlGroupName, name, 'name');
    checkShape(groupEndpointsShape, endpoints, 'endpoints');
    const updatedAt = this.#clock.now();
    await this.#store.put(name, (kept) => {
      const all = withEndpoints(kept?.endpoints ?? [], endpoints);
      return all.length === 0
        ? undefined
        : { endpoints: all, createdAt: kept?.createdAt ?? updatedAt, updatedAt };
    });
  }

  /**
   * Removes endpoints from a group, which ends with its last one.
   *
   * @throws DomainError `invalid-request` naming the field, or `url-group-not-found`.
   */
  async removeEndpoints(name: string, endpoints: readonly RemovedEndpoint[]): Promise<void> {
    checkShape(removedEndpointsShape, endpoints, 'endpoints');
    const updatedAt = this.#clock.now();
    const changed = await this.#store.change(name, (kept) => ({
      ...kept,
      endpoints: withoutEndpoints(kept.endpoints, endpoints),
      updatedAt,
    }));
    if (existing(changed, 'url-group').endpoints.length === 0) await this.#store.remove(name);
  }

  /** By name. */
  async list(): Promise<readonly NamedUrlGroup[]> {
    const groups: NamedUrlGroup[] = [];
    for await (const [name, group] of eachRecord(this.#store)) groups.push({ name, ...group });
    return groups.sort((one, other) => byteOrder(one.name, other.name));
  }

  /** @throws DomainError `url-group-not-found`. */
  async read(name: string): Promise<NamedUrlGroup> {
    return { name, ...existing(await this.#store.find(name), 'url-group') };
  }

  /** @returns whether there was such a group. */
  remove(name: string): Promise<boolean> {
    return this.#store.remove(name);
  }
}

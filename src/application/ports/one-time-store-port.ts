import type { Natures } from './nature.ts';

/** Whose secret it is, how long it lasts, and how many the owner may have. */
export interface OneTimeBounds {
  readonly owner: string;
  /** Milliseconds after which the secret expires: the same for all of a store. */
  readonly life: number;
  readonly most: number;
}

/**
 * Stores secrets that can be used once, each with what it is good for, for all replicas. A store never keeps a secret in
 * a usable form.
 */
export interface OneTimeStorePort<Content> {
  /**
   * Beyond `most` secrets of the owner within their life, used ones included, the oldest of them ends.
   *
   * @throws DomainError `store-unavailable`.
   */
  save(secret: string, content: Content, bounds: OneTimeBounds): Promise<void>;

  /**
   * Removes a secret and returns its content: of several concurrent callers, only one gets it.
   *
   * @throws DomainError `store-unavailable`.
   */
  take(secret: string): Promise<Content | undefined>;
}

export const ONE_TIME_NATURES: Natures<OneTimeStorePort<never>> = {
  save: 'notes',
  take: 'notes',
};

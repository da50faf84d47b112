/** How long it takes at most to tell a client that the store does not answer, in milliseconds. */
const OUTAGE_TOLD_WITHIN = 2000;

/** The part of that time for reading the request and sending the answer. */
const WAY_TO_CLIENT = 100;

/**
 * How long a port may wait for the store, in milliseconds. After that it throws DomainError
 * `store-unavailable`, or goes on without the store.
 */
export const STORE_PATIENCE = OUTAGE_TOLD_WITHIN - WAY_TO_CLIENT;

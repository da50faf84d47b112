/** Within which time a client learns that the store does not answer, in milliseconds. */
const OUTAGE_TOLD_WITHIN = 2000;

/** What reading a request and sending its answer may take of that. */
const WAY_TO_CLIENT = 100;

/**
 * How long a call of a port may wait for the store, in milliseconds: then it throws DomainError
 * `store-unavailable`, or goes on without the store.
 */
export const STORE_PATIENCE = OUTAGE_TOLD_WITHIN - WAY_TO_CLIENT;

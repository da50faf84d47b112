/** Within how many milliseconds a client gets an answer when the store does not respond. */
const OUTAGE_REPORT_TIME = 2000;

/** The part of that time (ms) reserved for reading the request and sending the answer. */
const WAY_TO_CLIENT = 100;

/**
 * How long a port may wait for the store, in milliseconds. After that it throws DomainError
 * `store-unavailable`, or continues without the store.
 */
export const STORE_PATIENCE = OUTAGE_REPORT_TIME - WAY_TO_CLIENT;

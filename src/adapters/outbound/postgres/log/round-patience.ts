/** How long (ms) one round may take before its connection is ended, so that it fails: no other begins before that. */
export const ROUND_PATIENCE = 5000;

/**
 * A placeholder in scripts for the number of events that a queue keeps unless its metadata says otherwise. The number
 * is filled in when a script is defined.
 */
export const EVENTS_KEPT = '<events kept>';

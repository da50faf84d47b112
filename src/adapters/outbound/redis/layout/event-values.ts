/**
 * Replaces a value that is too long for an event. BullMQ's own clients parse the values of events and read this one
 * as null; no serialized value has this form.
 */
export const LEFT_OUT = ' null';

/** The field of a queue's metadata that marks the queue as listed in the registry. */
export const LISTED = 'jobgate.listed';

/** The field of a queue's metadata that is set once a start of it was to count other than 1 in limiters. */
export const COSTED = 'jobgate:costs';

/** The field of a queue's metadata that marks the queue as listed in the registry. */
export const LISTED = 'jobgate.listed';

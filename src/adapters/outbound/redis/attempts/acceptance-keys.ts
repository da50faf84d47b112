/** Behind a queue's prefix: the active jobs that their endpoints accepted, by when they are looked at. */
export const ACCEPTED = 'jobgate:accepted';

/** Behind a queue's prefix: what is known of each of these jobs. */
export const ACCEPTANCES = 'jobgate:acceptances';

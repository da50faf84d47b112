import { integer, object, required, type Shaped } from '../values/shape.ts';

/** How long the values of a job stay after it has ended (reach contract, section 20). */
export const payloadPolicyShape = object('PayloadPolicy', {
  keep: required(
    integer(0),
    'Milliseconds after a job has ended; its data, results, logs and answers are gone then',
  ),
});

export type PayloadPolicy = Shaped<typeof payloadPolicyShape>;

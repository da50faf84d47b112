import type { MessagePolicy, Redrive } from '../../domain/policies/message-policy.ts';
import { messageTerms } from './message-terms.ts';

/**
 * The attributes of a queue that a program sets, each in place of what the queue had. An empty value of a kept one takes
 * it away.
 */
export type QueueAttributes = Omit<MessagePolicy, 'redrive' | 'createdAt' | 'changedAt'> & {
  /** Null takes the dead letter queue away. */
  readonly redrive?: Redrive | null;
};

export type QueueAttributeName = Exclude<keyof QueueAttributes, 'kept'>;

/** The policy with other attributes. */
export function withAttributes(policy: MessagePolicy, attributes: QueueAttributes): MessagePolicy {
  const { redrive = policy.redrive, kept = {}, ...plain } = attributes;
  const { redrive: before, kept: keptBefore = {}, ...rest } = policy;
  const allKept = Object.entries({ ...keptBefore, ...kept }).filter(([, value]) => value !== '');
  const dead = redrive === null ? undefined : (redrive ?? before);
  return {
    ...rest,
    ...plain,
    ...(dead && { redrive: dead }),
    ...(allKept.length > 0 && { kept: Object.fromEntries(allKept) }),
  };
}

/**
 * The first attribute whose value is another than that of the queue, or the name of such a kept one; undefined when the
 * queue is as the attributes say.
 */
export function firstDifference(
  policy: MessagePolicy | undefined,
  { kept = {}, ...attributes }: QueueAttributes,
): { readonly name: QueueAttributeName } | { readonly kept: string } | undefined {
  const terms = messageTerms(policy);
  for (const [name, value] of Object.entries(attributes)) {
    const known = name as QueueAttributeName;
    const isSame =
      known === 'redrive'
        ? sameRedrive(terms.redrive, attributes.redrive ?? undefined)
        : terms[known] === value;
    if (!isSame) return { name: known };
  }
  const other = Object.entries(kept).find(([name, value]) => (terms.kept[name] ?? '') !== value);
  return other && { kept: other[0] };
}

function sameRedrive(one: Redrive | undefined, other: Redrive | undefined): boolean {
  return one?.queue === other?.queue && one?.maxReceives === other?.maxReceives;
}

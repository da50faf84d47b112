import { ACCOUNT } from './queue-url.ts';

const ARN = new RegExp(`^arn:[a-z-]+:sqs:[a-zA-Z0-9-]*:${ACCOUNT}:([^:]+)$`);

export function queueArn(region: string, queue: string): string {
  return `arn:aws:sqs:${region}:${ACCOUNT}:${queue}`;
}

/** The queue of an ARN of any region; undefined for what is no ARN of a queue here. */
export function queueOfArn(arn: string): string | undefined {
  return ARN.exec(arn)?.[1];
}

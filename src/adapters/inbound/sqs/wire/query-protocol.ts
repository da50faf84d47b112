import type { IncomingHttpHeaders } from 'node:http';
import { SqsError } from './sqs-error.ts';

const FORM = /^application\/x-www-form-urlencoded\b/i;

/** Whether a request speaks the query protocol, whose answers are XML. */
export function isQuery({
  'content-type': type = '',
  'x-amz-target': target,
}: IncomingHttpHeaders): boolean {
  return target === undefined && FORM.test(type);
}

/** Whether a client reads JSON too: clients of the query protocol do not say what they accept. */
export function readsJson({ accept = '' }: IncomingHttpHeaders): boolean {
  return /\*\/\*|json/i.test(accept);
}

/** The refusal of the query protocol. */
export function queryRefused(): SqsError {
  return new SqsError(
    'UnsupportedOperation',
    'This service speaks the AWS JSON protocol of SQS and not the query (XML) protocol: update the SDK to a version ' +
      'that speaks JSON, such as AWS SDK for JavaScript 3.446, boto3 1.28.82 (botocore 1.31.81), AWS CLI 2.13.33, ' +
      'Java 2.21.19 or 1.12.585, Go v2 service/sqs 1.28 or v1 1.47.7, PHP 3.285, Ruby aws-sdk-sqs 1.67, .NET ' +
      '3.7.300, or later ones.',
  );
}

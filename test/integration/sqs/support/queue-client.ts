import { randomUUID } from 'node:crypto';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type Message,
  type QueueAttributeName,
  type ReceiveMessageCommandInput,
  type SendMessageCommandInput,
  type SendMessageCommandOutput,
  type SQSClient,
} from '@aws-sdk/client-sqs';

type Without<Input> = Omit<Input, 'QueueUrl'>;

/** One queue as programs use it. */
export class QueueClient {
  readonly sqs: SQSClient;
  readonly QueueUrl: string;

  constructor(sqs: SQSClient, QueueUrl: string) {
    this.sqs = sqs;
    this.QueueUrl = QueueUrl;
  }

  /** A queue of its own. */
  static async create(
    sqs: SQSClient,
    Attributes: Partial<Record<QueueAttributeName, string>> = {},
    name = `q-${randomUUID()}${Attributes.FifoQueue === 'true' ? '.fifo' : ''}`,
  ): Promise<QueueClient> {
    const created = await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }));
    return new QueueClient(sqs, created.QueueUrl ?? '');
  }

  get name(): string {
    return this.QueueUrl.slice(this.QueueUrl.lastIndexOf('/') + 1);
  }

  get arn(): string {
    return `arn:aws:sqs:eu-central-1:000000000000:${this.name}`;
  }

  send(
    MessageBody: string,
    given: Partial<Without<SendMessageCommandInput>> = {},
  ): Promise<SendMessageCommandOutput> {
    const { QueueUrl } = this;
    return this.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, ...given }));
  }

  async receive(given: Without<ReceiveMessageCommandInput> = {}): Promise<Message[]> {
    const { QueueUrl } = this;
    const command = new ReceiveMessageCommand({
      QueueUrl,
      MessageSystemAttributeNames: ['All'],
      ...given,
    });
    const { Messages = [] } = await this.sqs.send(command);
    return Messages;
  }

  async bodies(given: Without<ReceiveMessageCommandInput> = {}): Promise<(string | undefined)[]> {
    return (await this.receive(given)).map(({ Body }) => Body);
  }

  async delete({ ReceiptHandle }: Message): Promise<void> {
    const { QueueUrl } = this;
    await this.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }

  async changeVisibility({ ReceiptHandle }: Message, VisibilityTimeout: number): Promise<void> {
    const { QueueUrl } = this;
    await this.sqs.send(
      new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }),
    );
  }

  async attributes(
    ...AttributeNames: QueueAttributeName[]
  ): Promise<Partial<Record<QueueAttributeName, string>>> {
    const { QueueUrl } = this;
    const asked = AttributeNames.length === 0 ? ['All' as const] : AttributeNames;
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: asked });
    const { Attributes = {} } = await this.sqs.send(command);
    return Attributes;
  }

  /** How many messages are visible, in flight, and delayed. */
  async counts(): Promise<readonly [number, number, number]> {
    const shown = await this.attributes();
    return [
      Number(shown.ApproximateNumberOfMessages),
      Number(shown.ApproximateNumberOfMessagesNotVisible),
      Number(shown.ApproximateNumberOfMessagesDelayed),
    ];
  }
}

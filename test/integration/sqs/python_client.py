"""What boto3 makes of the interface: prints one line of JSON for each check that fails, and `done` at the end."""

import json
import sys

import boto3
import botocore
from botocore.exceptions import ClientError

endpoint, token = sys.argv[1], sys.argv[2]
sqs = boto3.client(
    "sqs",
    endpoint_url=endpoint,
    region_name="eu-north-1",
    aws_access_key_id=token,
    aws_secret_access_key="anything",
)


def check(what, actual, expected):
    if actual != expected:
        print(json.dumps({"what": what, "actual": repr(actual), "expected": repr(expected)}))


def code_of(request):
    try:
        request()
    except ClientError as error:
        return error.response["Error"]["Code"]
    return None


# Older versions speak the query protocol, which is refused.
if tuple(int(part) for part in botocore.__version__.split(".")[:3]) < (1, 31, 81):
    check("query", code_of(sqs.list_queues), "AWS.SimpleQueueService.UnsupportedOperation")
    print("done")
    sys.exit()

url = sqs.create_queue(QueueName="python", Attributes={"VisibilityTimeout": "5"}, tags={"a": "b"})["QueueUrl"]
check("url", sqs.get_queue_url(QueueName="python")["QueueUrl"], url)
check("tags", sqs.list_queue_tags(QueueUrl=url)["Tags"], {"a": "b"})
attributes = {
    "text": {"DataType": "String", "StringValue": "ä€😀"},
    "bytes": {"DataType": "Binary", "BinaryValue": b"\x00\xff"},
    "number": {"DataType": "Number", "StringValue": "12.5"},
}
body = "ä" * 500_000
# botocore checks the digests.
sent = sqs.send_message(QueueUrl=url, MessageBody=body, MessageAttributes=attributes)
received = sqs.receive_message(
    QueueUrl=url, MessageAttributeNames=["All"], AttributeNames=["All"], WaitTimeSeconds=1
)["Messages"][0]
check("id", received["MessageId"], sent["MessageId"])
check("body", received["Body"], body)
check("attributes", received["MessageAttributes"], attributes)
check("count", received["Attributes"]["ApproximateReceiveCount"], "1")
check("empty", sqs.receive_message(QueueUrl=url).get("Messages"), None)
sqs.change_message_visibility(QueueUrl=url, ReceiptHandle=received["ReceiptHandle"], VisibilityTimeout=0)
again = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=1)["Messages"][0]
sqs.delete_message(QueueUrl=url, ReceiptHandle=again["ReceiptHandle"])
batch = sqs.send_message_batch(
    QueueUrl=url, Entries=[{"Id": str(n), "MessageBody": str(n)} for n in range(10)]
)
check("batch", len(batch["Successful"]), 10)
queue = boto3.resource(
    "sqs",
    endpoint_url=endpoint,
    region_name="eu-north-1",
    aws_access_key_id=token,
    aws_secret_access_key="anything",
).Queue(url)
bodies = []
while len(bodies) < 10:
    for message in queue.receive_messages(MaxNumberOfMessages=10):
        bodies.append(message.body)
        message.delete()
check("bodies", sorted(bodies), [str(n) for n in range(10)])
check("arn", queue.attributes["QueueArn"], "arn:aws:sqs:eu-north-1:000000000000:python")
check("missing", code_of(lambda: sqs.get_queue_url(QueueName="not-there")), "AWS.SimpleQueueService.NonExistentQueue")
try:
    sqs.get_queue_url(QueueName="not-there")
except sqs.exceptions.QueueDoesNotExist:
    pass
check(
    "exists",
    code_of(lambda: sqs.create_queue(QueueName="python", Attributes={"VisibilityTimeout": "6"})),
    "QueueAlreadyExists",
)
check("handle", code_of(lambda: sqs.delete_message(QueueUrl=url, ReceiptHandle="x")), "ReceiptHandleIsInvalid")
pages = sqs.get_paginator("list_queues").paginate(PaginationConfig={"PageSize": 1})
check("listed", url in [each for page in pages for each in page.get("QueueUrls", [])], True)
fifo = sqs.create_queue(
    QueueName="python.fifo", Attributes={"FifoQueue": "true", "ContentBasedDeduplication": "true"}
)["QueueUrl"]
first = sqs.send_message(QueueUrl=fifo, MessageBody="a", MessageGroupId="g")
second = sqs.send_message(QueueUrl=fifo, MessageBody="a", MessageGroupId="g")
check("deduplicated", second["SequenceNumber"], first["SequenceNumber"])
sqs.purge_queue(QueueUrl=fifo)
sqs.delete_queue(QueueUrl=fifo)
print("done")

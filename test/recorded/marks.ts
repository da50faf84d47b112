/** Stands for what each run draws anew, and for the version of a release: in JSON, and in JSON within JSON. */
const MARKS: readonly (readonly [drawn: RegExp, mark: string])[] = [
  [/\bjg_[A-Za-z0-9_-]+/g, '<token>'],
  [/\bwhsec_[A-Za-z0-9+/=]+/g, '<secret>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\b[0-9a-f]{64}\b/g, '<sha256>'],
  [/\b\d{14}-\d{6}-[\w-]+/g, '<entry>'],
  [/\bv1,[A-Za-z0-9+/=]+/g, '<signature>'],
  [/\b(20\d\d-\d\d-\d\dT[\d:.]+Z)/g, '<time>'],
  [/\b1[6-9]\d{11}(?:\.\d+)?\b/g, '<ms>'],
  [/127\.0\.0\.1:\d+/g, '<address>'],
  [/(\\?)"version\1":\1"\d+\.\d+\.\d+[\w.-]*\1"/g, '$1"version$1":$1"<version>$1"'],
  [/\bjobgate \d+\.\d+\.\d+[\w.-]*/g, 'jobgate <version>'],
  [/\bversion \d+\.\d+\.\d+[\w.-]*/g, 'version <version>'],
  [/^(memory +)[\d.]+ MiB$/gm, '$1<number> MiB'],
  [/\bsealed:(\w+):[A-Za-z0-9+/=]+/g, 'sealed:$1:<sealed>'],
  [/:ticket:[\w-]{43}/g, ':ticket:<drawn>'],
  [/(?<![\w+/=])[A-Za-z0-9+/]{44}(?![\w+/=])/g, '<key check>'],
  [/"registration":"[\w-]{32}"/g, '"registration":"<drawn>"'],
  // The first part of the ids of jobs that are added together.
  [/"[\w-]{32}-(\d+)"/g, '"<drawn>-$1"'],
  [/with confirm: [\w-]{32,}/g, 'with confirm: <drawn>'],
  [/untrusted-data-[0-9a-f]+/g, '<mark>'],
  [
    /(\\?)"(durationMs|usedMemory|webhook-timestamp)\1":(?:\1")?[\d.]+(?:\1")?/g,
    '$1"$2$1":<number>',
  ],
  [/"((?:Created|LastModified)Timestamp)":"\d+"/g, '"$1":"<seconds>"'],
  [/"(ReceiptHandle|TaskHandle|SequenceNumber)":"[^"]+"/g, '"$1":"<drawn>"'],
  // The answer to a task that is cancelled as it runs.
  [
    /^\{"ApproximateNumberOfMessagesMoved":\d+\}$/gm,
    '{"ApproximateNumberOfMessagesMoved":<number>}',
  ],
  // The time of a line of the log for people, and how long a request took.
  [/^\d\d:\d\d:\d\d\.\d{3} /gm, '<time> '],
  [/(duration"?[:=])[\d.]+(?=,"status"| status=)/g, '$1<number>'],
  [
    /(\\?)"(ticket|token|confirm|webhook-id|webhook-signature)\1":\1"[^"\\]+\1"/g,
    '$1"$2$1":$1"<drawn>$1"',
  ],
];

// eslint-disable-next-line no-control-regex -- control characters are what is replaced
const CONTROL_CHARACTERS = /[\u0000-\u0009\u000b-\u001f]/g;

/** The text with marks in place of what differs from run to run, and with control characters as in JSON. */
export function marked(text: string): string {
  const shown = MARKS.reduce((rest, [drawn, mark]) => rest.replaceAll(drawn, mark), text);
  return shown.replaceAll(CONTROL_CHARACTERS, (each) => JSON.stringify(each).slice(1, -1));
}

import type { FiguredQueue, Job, JobSummary } from 'jobgate-client';
import { expect } from 'chai';
import { durationOf } from '../../../clients/command-line/input/durations.ts';
import { guess } from '../../../clients/command-line/input/guess.ts';
import { timeOf } from '../../../clients/command-line/input/times.ts';
import { describedJob } from '../../../clients/command-line/commands/job-view.ts';
import { queueColumns } from '../../../clients/command-line/commands/queue-view.ts';
import { commands } from '../../../clients/command-line/commands.ts';
import { byName } from '../../../clients/command-line/common-options.ts';
import { commandHelp } from '../../../clients/command-line/help.ts';
import { parse } from '../../../clients/command-line/parse.ts';
import { tailCommand } from '../../../clients/command-line/commands/tail.ts';
import { coloured, rendered } from '../../../clients/command-line/output/marks.ts';
import { table, type Column } from '../../../clients/command-line/output/table.ts';
import { time } from '../../../clients/command-line/output/times.ts';
import { cut, widthOf } from '../../../clients/command-line/output/width.ts';
import { Terminal, type Surroundings } from '../../../clients/command-line/terminal.ts';
import { EVENT_NAMES } from '../../../src/domain/values/event-names.ts';

describe('what the command line understands and prints', () => {
  it('follows all events that a service sends', () => {
    expect(byName(tailCommand.options!)['events']?.offered).to.deep.equal(EVENT_NAMES);
  });

  it('accepts the earlier name of an option, without showing it', () => {
    for (const [name, former, present, value] of [
      ['search', 'value', 'data', 'customer.id:17'],
      ['schedulers put', 'cron', 'pattern', '0 3 * * *'],
    ] as const) {
      const command = commands.find((each) => each.name === name)!;
      for (const option of [former, present]) {
        expect(parse(command, [`--${option}`, value]).options).to.have.property(present, value);
      }
      expect(() => parse(command, [`--${former}`, value, `--${present}`, value])).to.throw(
        `--${former} is the earlier name of --${present}: give one of them`,
      );
      expect(() => parse(command, [`--${former}=`])).to.throw(`--${former} must not be empty`);
      expect(commandHelp(command)).to.include(`--${present} <`).and.not.include(`--${former} `);
    }
  });

  it('shows as closed the queues that are listed with --state closed', () => {
    const state = queueColumns.find(({ head }) => head === 'STATE')!;
    const queue = { paused: false, worker: null, failing: null };
    const blocked = { reason: 'window', detail: '' };
    expect(state.cell({ ...queue, blocked } as unknown as FiguredQueue)).to.equal('closed');
  });

  it('understands durations with a unit', () => {
    for (const [text, ms] of [
      ['500ms', 500],
      ['30s', 30_000],
      ['5min', 300_000],
      ['1h30m', 5_400_000],
      ['7d', 604_800_000],
    ] as const) {
      expect(durationOf('--delay', text), text).to.equal(ms);
    }
    for (const text of ['7', '', 'd', '1y', '-1s', '1h 30']) {
      expect(() => durationOf('--delay', text), text).to.throw('--delay must be a duration');
    }
  });

  it('reads the times that it prints', () => {
    const now = 1_800_000_000_000;
    expect(timeOf('--from', time(now), 'ago')).to.equal(now);
    expect(timeOf('--from', '7d', 'ago')).to.be.closeTo(Date.now() - 604_800_000, 60_000);
    expect(timeOf('--expires', '7d', 'ahead')).to.be.closeTo(Date.now() + 604_800_000, 60_000);
    for (const text of ['2026-02-30', '2026-13-01', 'tomorrow', '2026-01-31 25:00']) {
      expect(() => timeOf('--from', text, 'ago'), text).to.throw('--from must be a time');
    }
  });

  it('guesses a mistyped word, but no word that is too different', () => {
    expect(guess('mial', ['mail', 'video'])).to.equal('mail');
    expect(guess('thing', ['mail', 'video'])).to.equal(undefined);
  });

  it('cuts to the width of the terminal, and only what may be cut', () => {
    expect(widthOf('日本e\u0301')).to.equal(5);
    expect(cut('日本語', 5)).to.equal('日本…');
    const columns: readonly Column<{ readonly id: string }>[] = [
      { head: 'ID', cell: ({ id }) => id },
      { head: 'AT', cell: () => ({ whole: '2026-01-31 08:40:17 +01:00', short: '3 min ago' }) },
      { head: 'REASON', cell: () => 'x'.repeat(400), isCut: true },
    ];
    const rows = [{ id: 'a'.repeat(40) }];
    const [, narrow = ''] = table(columns, rows, 80).split('\n');
    expect(narrow).to.match(/^a{40} {2}3 min ago {2}x+…$/);
    expect(narrow).to.have.lengthOf(80);
    const [, wide = ''] = table(columns, rows).split('\n');
    expect(wide).to.match(/ \+01:00 {2}x{400}$/);
  });

  it('has colours only on a terminal, unless NO_COLOR is set, and lets no job add any', () => {
    const printed = (isTTY: boolean, env: Record<string, string>): string => {
      let text = '';
      const stdout = { isTTY, on: () => undefined, write: (chunk: string) => (text += chunk) };
      const around = { env, stdin: {}, stdout, stderr: { on: () => undefined } };
      new Terminal(around as unknown as Surroundings).print(`${coloured('no', 'red')}\u001b[2J`);
      return text;
    };
    expect(printed(true, {})).to.equal('\u001b[31mno\u001b[0m\ufffd[2J\n');
    expect(printed(true, { NO_COLOR: '1' })).to.equal('no\ufffd[2J\n');
    expect(printed(false, {})).to.equal('no\ufffd[2J\n');
  });

  it('shows a job without empty fields, and equal stack traces once', () => {
    const summary: JobSummary = {
      id: '1',
      name: 'a',
      state: 'failed',
      timestamp: 1_800_000_000_000,
      processedOn: null,
      finishedOn: null,
      dueAt: null,
      priority: 0,
      attemptsMade: 3,
      attempts: 3,
      failedReason: 'No room',
      lastStatus: null,
      group: null,
      parent: null,
      progress: null,
      dataSize: 4,
    };
    const trace = 'Error: No room\n    at endpoint';
    const stacktrace = [trace, trace, 'Error: No room'];
    const values = { name: 'a', data: null, progress: 0, returnvalue: null };
    const job = { ...values, opts: { attempts: 0, delay: 0 }, stacktrace, failedReason: 'No room' };
    const text = rendered(describedJob('q', summary, job as unknown as Job, []), 'plain');
    expect(text).to.match(/^attempts +3 of 3$/m);
    expect(text).to.match(/^added +2027-01-15 .* \(in /m);
    expect(text).not.to.match(/^(?:due|group|parent|options|started) /m);
    expect(text.split('\n\n').slice(1)).to.deep.equal([`${trace}\n(2 times)`]);
  });
});

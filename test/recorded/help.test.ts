import { commands } from '../../clients/command-line/commands.ts';
import { commandHelp, helpText, nounHelp } from '../../clients/command-line/help.ts';
import { serviceHelp } from '../../src/infrastructure/help.ts';
import { Recording } from './recording.ts';

describe('the help', () => {
  it('about the service and every command is as it was recorded', () => {
    const recording = new Recording('help');
    recording.note('help', helpText('1'));
    recording.note('help service', serviceHelp());
    const nouns = commands.flatMap(({ name }) => (name.includes(' ') ? name.split(' ', 1) : []));
    for (const noun of new Set(nouns)) recording.note(`help ${noun}`, nounHelp(noun));
    for (const command of commands) recording.note(`help ${command.name}`, commandHelp(command));
    recording.expectUnchanged();
  });
});

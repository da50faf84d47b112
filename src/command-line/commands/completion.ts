import type { Command } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';

/** Each asks the program itself for what may come next: the words before the cursor are its arguments. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_jobgate() {
  local IFS=$'\\n'
  COMPREPLY=($(jobgate complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -F _jobgate jobgate`,
  zsh: `#compdef jobgate
_jobgate() {
  local -a found
  found=("\${(@f)$(jobgate complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- $found
}
compdef _jobgate jobgate`,
  fish: `function __jobgate_complete
  set -l words (commandline -opc) (commandline -ct)
  jobgate complete $words[2..-1] 2>/dev/null
end
complete -c jobgate -f -a '(__jobgate_complete)'`,
};

export const completionCommand: Command = {
  name: 'completion',
  takes: '<shell>',
  count: [1, 1],
  summary: 'print the script that completes commands in bash, zsh or fish',
  examples: [
    'completion bash > ~/.local/share/bash-completion/completions/jobgate',
    'completion zsh > "${fpath[1]}/_jobgate"',
    'completion fish > ~/.config/fish/completions/jobgate.fish',
  ],
  run: (call) => {
    const script = SCRIPTS[call.name(0)];
    if (script === undefined) throw new UsageError('The shell must be bash, zsh or fish');
    call.answer(script, (text) => text);
    return Promise.resolve();
  },
};

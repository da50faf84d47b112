import type { Declaration } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';

/** Each script asks the program itself for candidates, passing the words before the cursor as arguments. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_jobgate() {
  local line=\${COMP_LINE:0:COMP_POINT} words last
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  last=\${words[\${#words[@]}-1]}
  local IFS=$'\\n'
  COMPREPLY=($(jobgate complete "\${words[@]:1}" 2>/dev/null))
  # Bash replaces the text behind the last = or :
  COMPREPLY=("\${COMPREPLY[@]#"\${last%"\${last##*[=:]}"}"}")
}
complete -F _jobgate jobgate`,
  zsh: `#compdef jobgate
_jobgate() {
  local -a found
  found=("\${(@f)$(jobgate complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- $found
}
# Zsh runs the file itself for the first completion when it is loaded from the function path.
if [[ \${funcstack[1]} == _jobgate ]]; then _jobgate "$@"; else compdef _jobgate jobgate; fi`,
  fish: `function __jobgate_complete
  set -l words (commandline -opc) (commandline -ct)
  jobgate complete $words[2..-1] 2>/dev/null
end
complete -c jobgate -f -a '(__jobgate_complete)'`,
};

export const completionCommand: Declaration = {
  usage: 'completion <shell>',
  summary: 'print the completion script for bash, zsh or fish',
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

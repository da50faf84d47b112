import { allVariables, type Variable } from '../../src/infrastructure/config/variables.ts';

/** The environment variables as a table in Markdown. */
export function variablesTable(): string {
  const rows = allVariables.map(
    (variable) => `| \`${variable.name}\` | ${defaultOf(variable)} | ${variable.meaning} |`,
  );
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function defaultOf({ default: byDefault, otherwise }: Variable): string {
  return otherwise ?? (byDefault === undefined ? 'none' : `\`${byDefault}\``);
}

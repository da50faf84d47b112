/** A script that the store runs as one step. Its name is unique on a connection. */
export interface Script {
  readonly name: string;
  readonly lua: string;
  readonly numberOfKeys: number;
}

/** No Buffer: one of them makes the client library copy all arguments of its command into buffers, at twice the cost. */
export type ScriptArgument = string | number;

/** How an argument travels: as TypeScript gives it, and how Lua reads it. */
export interface Kind<Value> {
  readonly sent: (value: Value) => ScriptArgument;
  readonly read: (argument: string) => string;
}

/** Makes of what a script answered what its caller gets. @throws Error for what the script does not answer. */
export type AnswerCheck<Answer> = (answer: unknown, script: string) => Answer;

export type ArgumentsOf<Args> = {
  readonly [Name in keyof Args]: Args[Name] extends Kind<infer Value> ? Value : never;
};

/** The named arguments of a run, if the script has any, and the further ones. */
export type Given<Args> = keyof Args extends never
  ? [args?: ArgumentsOf<Args>, rest?: readonly ScriptArgument[]]
  : [args: ArgumentsOf<Args>, rest?: readonly ScriptArgument[]];

/** A script with what TypeScript and Lua both have to know of it. */
export interface TypedScript<Keys, Args, Answer> extends Script {
  readonly keysFor: (keys: Keys, args: ArgumentsOf<Args>) => readonly string[];
  readonly argumentsFor: (keys: Keys, args: ArgumentsOf<Args>) => readonly ScriptArgument[];
  readonly answer: AnswerCheck<Answer>;
}

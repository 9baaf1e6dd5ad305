/** The exit status of a command that was called wrongly; one that failed ends with 1. */
export const calledWrongly = 2;

/** A command that cannot go on, said in one sentence. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

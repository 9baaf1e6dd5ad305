/** A command that cannot go on, said in one sentence; `exitCode` 1 is failure, 2 is a wrong call. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

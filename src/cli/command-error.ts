/** Exit status for incorrect usage; a command that fails otherwise exits with 1. */
export const usageExitCode = 2;

/** A failure that is reported to the user as one sentence. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

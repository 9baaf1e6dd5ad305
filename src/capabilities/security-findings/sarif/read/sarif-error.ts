export type SarifErrorCode = 'NOT_SARIF' | 'UNSUPPORTED_VERSION' | 'EXTERNAL_RESULTS' | 'TOO_MANY_RESULTS';

/** Says why a document cannot be taken as a SARIF 2.1.0 log, and where in it the reason lies. */
export class SarifError extends Error {
  readonly code: SarifErrorCode;
  /** Place in the log, such as `runs[0].results[3].message`; empty for the log itself. */
  readonly path: string;
  readonly reason: string;

  constructor(code: SarifErrorCode, path: string, reason: string) {
    super(path === '' ? reason : `${path}: ${reason}`);
    this.name = 'SarifError';
    this.code = code;
    this.path = path;
    this.reason = reason;
  }
}

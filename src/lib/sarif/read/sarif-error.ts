export type SarifErrorCode = 'NOT_SARIF' | 'UNSUPPORTED_VERSION' | 'EXTERNAL_RESULTS' | 'TOO_MANY_RESULTS';

/** The reason why, and the path where, a document is not an acceptable SARIF 2.1.0 log. */
export class SarifError extends Error {
  readonly code: SarifErrorCode;
  /** Path in the log, such as `runs[0].results[3].message`; empty for the log itself. */
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

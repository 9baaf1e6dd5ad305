/** A place in a text at which something is wrong, and what, if the rule does not say it all. */
export interface TextFault {
  readonly line: number;
  readonly message: string;
}

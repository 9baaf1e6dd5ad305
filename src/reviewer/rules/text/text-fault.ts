/** A fault in a text; the message is empty if the rule says enough. */
export interface TextFault {
  readonly line: number;
  readonly message: string;
}

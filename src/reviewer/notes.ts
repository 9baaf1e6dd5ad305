import { redactCredentials } from '../redaction/redact-credentials.ts';

const maxNotes = 50;
const maxNoteLength = 2_000;

/** What the reader of a result should know, as sentences of one line each, and each once. Some quote files of others. */
export function toNotes(remarks: readonly string[]): string[] {
  return [...new Set(remarks.map(toSentence))].filter((note) => note !== '').slice(0, maxNotes);
}

function toSentence(remark: string): string {
  const plain = redactCredentials(remark)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .toWellFormed()
    .trim();
  const said = plain.length > maxNoteLength ? `${plain.slice(0, maxNoteLength - 1).toWellFormed()}…` : plain;
  // Names of files and settings stay as they are.
  const begun = /^[a-z]+(?=[\s,])/.test(said) ? said[0]!.toUpperCase() + said.slice(1) : said;
  return begun === '' || /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

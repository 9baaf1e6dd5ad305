import { redactCredentials } from '../redaction/redact-credentials.ts';

const maxNotes = 50;
const maxNoteLength = 2_000;

/** Formats notes for the reader of a result: sentences of one line, without duplicates. Some quote untrusted files. */
export function toNotes(remarks: readonly string[]): string[] {
  return [...new Set(remarks.map(toSentence))].filter((note) => note !== '').slice(0, maxNotes);
}

function toSentence(remark: string): string {
  const plain = redactCredentials(remark)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .toWellFormed()
    .trim();
  const said = plain.length > maxNoteLength ? `${plain.slice(0, maxNoteLength - 1).toWellFormed()}…` : plain;
  // Capitalizes words, but not names of files and settings.
  const begun = /^[a-z]+(?=[\s,])/.test(said) ? said[0]!.toUpperCase() + said.slice(1) : said;
  return begun === '' || /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

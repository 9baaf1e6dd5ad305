import type { Scan } from './scan.ts';

export const privateKeyRule = 'private-key';

/** PEM uses five dashes, the SSH2 format four and a space. */
const HEADER = /-{4,5} ?BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)? ?-{4,5}/gi;
const FOOTER = /-{4,5} ?END [A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)? ?-{4,5}/gi;
/** The shortest real key, of an elliptic curve, has about sixty characters; a key shortened for an example has only a few. */
const MIN_BODY_LENGTH = 12;
/** Lines of a truncated key; in source code they may be surrounded by quotes, `+`, `\n` or indentation. */
const KEY_LINES =
  /(?:[\s"'+,\\]{0,40}(?:n|r)?(?:[A-Za-z0-9+/=]{16,100}|(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{0,100})){1,300}[A-Za-z0-9+/=]{0,100}/y;

/** Reports every PEM or PGP private key from its first to its last line, even if the last line is missing. */
export function findPrivateKeys(scan: Scan): void {
  if (!/PRIVATE KEY/i.test(scan.text)) return;
  const headers = [...scan.text.matchAll(HEADER)];
  const footers = [...scan.text.matchAll(FOOTER)];
  let nextFooter = 0;
  headers.forEach(({ 0: header, index }, position) => {
    const bodyStart = index + header.length;
    const nextHeader = headers[position + 1]?.index ?? scan.text.length;
    while ((footers[nextFooter]?.index ?? scan.text.length) < bodyStart) nextFooter += 1;
    const footer = footers[nextFooter];
    if (footer !== undefined && footer.index < nextHeader) {
      // A placeholder or a pattern, as in `-----BEGIN PRIVATE KEY----- … -----END PRIVATE KEY-----`.
      if (footer.index - bodyStart < MIN_BODY_LENGTH) return;
      scan.report(index, footer.index + footer[0].length, privateKeyRule);
      return;
    }
    KEY_LINES.lastIndex = bodyStart;
    if (KEY_LINES.test(scan.text))
      scan.report(index, Math.min(KEY_LINES.lastIndex, nextHeader), privateKeyRule);
  });
}

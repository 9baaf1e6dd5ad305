import type { Scan } from './scan.ts';

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const HEADER_LENGTH = 100;
const FOOTER = /-----END [A-Z0-9 ]{0,60}-----/y;
/** Lines of a key whose end was cut off; strings in source code put quotes, `+`, `\n` or indentation around them. */
const KEY_LINES =
  /(?:[\s"'+,\\]{0,40}(?:n|r)?(?:[A-Za-z0-9+/=]{16,100}|(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{0,100})){1,200}[A-Za-z0-9+/=]{0,100}/y;

/** Reports every PEM or PGP private key from its first to its last line, also when the last line is missing. */
export function findPrivateKeys(scan: Scan): void {
  const { text } = scan;
  let nextEnd = 0;
  for (let begin = text.indexOf(BEGIN); begin !== -1; begin = text.indexOf(BEGIN, begin + BEGIN.length)) {
    const headerEnd = text.slice(begin, begin + HEADER_LENGTH).search(/-----(?!BEGIN)/);
    if (headerEnd === -1) continue;
    const header = text.slice(begin, begin + headerEnd);
    if (!header.includes('PRIVATE KEY') || header.includes('\n')) continue;
    const bodyStart = begin + headerEnd + 5;
    if (nextEnd !== -1 && nextEnd < bodyStart) nextEnd = text.indexOf(END, bodyStart);
    FOOTER.lastIndex = nextEnd;
    const isClosed = nextEnd !== -1 && FOOTER.test(text) && !text.slice(bodyStart, nextEnd).includes(BEGIN);
    if (isClosed) {
      scan.report(begin, FOOTER.lastIndex);
      begin = FOOTER.lastIndex - BEGIN.length;
    } else {
      KEY_LINES.lastIndex = bodyStart;
      if (KEY_LINES.test(text)) scan.report(begin, KEY_LINES.lastIndex);
    }
  }
}

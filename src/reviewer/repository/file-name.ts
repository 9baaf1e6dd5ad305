import { isUtf8 } from 'node:buffer';

const escapeByte = (byte: number) => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;

/** The name of a file as text. Git allows any bytes: those that are no UTF-8 are written as `\xE9`, so that no two names become one. */
export function decodeFileName(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let name = '';
  for (let start = 0; start < bytes.length; ) {
    const length = [1, 2, 3, 4].find((count) => isUtf8(bytes.subarray(start, start + count)));
    name += length === undefined ? escapeByte(bytes[start]!) : bytes.toString('utf8', start, start + length);
    start += length ?? 1;
  }
  return name;
}

/** The bytes of a name that had some that are no UTF-8. */
export function encodeFileName(name: string): Buffer {
  const parts = name.split(/(\\x[89A-F][0-9A-F])/);
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 1 ? Buffer.from(part.slice(2), 'hex') : Buffer.from(part))),
  );
}

/** Makes names that Git wrote in octal numbers readable for programs that take them for UTF-8. */
export function escapeQuotedNames(head: string): string {
  return head.replaceAll(/\\\\|(?:\\[0-7]{3})+/g, (octal) => {
    if (octal === '\\\\') return octal;
    const bytes = Buffer.from(
      octal
        .slice(1)
        .split('\\')
        .map((digits) => Number.parseInt(digits, 8)),
    );
    return isUtf8(bytes) ? octal : decodeFileName(bytes).replaceAll('\\', '\\\\');
  });
}

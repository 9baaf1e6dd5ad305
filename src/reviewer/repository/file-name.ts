import { isUtf8 } from 'node:buffer';

const escapeByte = (byte: number) => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;

/** Decodes the name of a file. Git allows any bytes: those that are not UTF-8 become `\xE9`, so that names stay distinct. */
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

/** Encodes a name in which `decodeFileName` has escaped bytes. */
export function encodeFileName(name: string): Buffer {
  const parts = name.split(/(\\x[89A-F][0-9A-F])/);
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 1 ? Buffer.from(part.slice(2), 'hex') : Buffer.from(part))),
  );
}

/** Replaces octal escapes of Git that are not UTF-8 by those of `decodeFileName`, for parsers that decode names as UTF-8. */
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

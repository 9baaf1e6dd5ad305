/** Orders texts by their UTF-8 bytes, as PostgreSQL does under the collation "C". */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

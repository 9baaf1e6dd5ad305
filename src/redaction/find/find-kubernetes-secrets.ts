import { isReference } from '../values/reference-value.ts';
import { kindOfName } from '../values/secret-names.ts';
import { isFiller, isMadeOfWords } from '../values/value-shape.ts';
import type { Scan } from './scan.ts';

export const kubernetesSecretRule = 'kubernetes-secret';

const DOCUMENT = /(?:^|\n)---[^\n]*/g;
const KIND = /(?:^|\n)[ \t]{0,20}kind:[ \t]{0,10}["']?secret["']?[ \t]{0,10}(?:\r?\n|$)/i;
const DATA = /(?:^|\n)[ \t]{0,20}(?:stringD|d)ata:[ \t]{0,10}\r?\n/g;
/** Matches a comment, or a key with its value, which may start on the next line (`|` and `>`). */
const ENTRY =
  /[ \t]{1,20}(?:#[^\n]{0,300}|["']?([\w.-]{1,100})["']?:[ \t]{0,10}(?:[|>][+-]?[ \t]{0,5}\r?\n[ \t]{1,40})?["']?(?:([A-Za-z0-9+/]{10,8000}={0,3})|([^\s"'`#|>&*!][^\s"'`#,]{3,200}))?[^\n]{0,300})(?:\n|$)/dy;

/** Reports the values under `data` in every YAML document whose kind is Secret. */
export function findKubernetesSecrets(scan: Scan): void {
  if (!KIND.test(scan.text)) return;
  let start = 0;
  for (const end of [...scan.text.matchAll(DOCUMENT).map(({ index }) => index), scan.text.length]) {
    const document = scan.text.slice(start, end);
    if (KIND.test(document)) {
      for (const { index, 0: label } of document.matchAll(DATA))
        reportEntries(scan, start + index + label.length);
    }
    start = end;
  }
}

function reportEntries(scan: Scan, from: number): void {
  ENTRY.lastIndex = from;
  for (let entry = ENTRY.exec(scan.text); entry !== null; entry = ENTRY.exec(scan.text)) {
    const [, name = '', encoded, word] = entry;
    if (/\.(?:crt|cer|cert|ca|pub)$/.test(name)) continue; // a certificate, which is public
    // A plain word is a secret only if its name says so, since a user name may be next to the password, and `my-token` is not a
    // secret.
    const isSecret =
      encoded === undefined
        ? word && isSecretName(name) && !isReference(word) && !kindOfName(word)
        : /[A-Z0-9]/.test(encoded) && !isMadeOfWords(encoded) && !isFiller(encoded);
    const [from, to] = entry.indices?.[2] ?? entry.indices?.[3] ?? [0, 0];
    if (isSecret) scan.report(from, to, kubernetesSecretRule);
  }
}

/** Names of the kind `key` do not count, since the value of such an entry in a map is often just a name. */
function isSecretName(name: string): boolean {
  const kind = kindOfName(name);
  return kind === 'password' || kind === 'secret';
}

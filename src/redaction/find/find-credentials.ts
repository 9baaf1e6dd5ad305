import { allRules } from '../all-rules.ts';
import { type CredentialSpan, mergeSpans } from './credential-span.ts';
import { findKubernetesSecrets } from './find-kubernetes-secrets.ts';
import { findPrivateKeys } from './find-private-keys.ts';
import { findRepeats } from './find-repeats.ts';
import { KeywordIndex } from './keyword-index.ts';
import { Scan } from './scan.ts';

// Built on first use, to make the start of a server faster.
let keywordIndex: KeywordIndex | undefined;

/**
 * Finds every credential in the text, and every other occurrence of the same credential. The spans are in text order and
 * neither overlap nor touch.
 */
export function findCredentials(text: string): CredentialSpan[] {
  const scan = new Scan(text);
  keywordIndex ??= new KeywordIndex(allRules);
  keywordIndex.visit(text, (rule, start, end) => scan.apply(rule, start, end));
  findPrivateKeys(scan);
  findKubernetesSecrets(scan);
  if (scan.spans.length === 0) return [];
  const found = mergeSpans(scan.spans);
  const repeats = findRepeats(text, [...scan.spans, ...found], found);
  return repeats.length === 0 ? found : mergeSpans([...found, ...repeats]);
}

import { hash } from 'node:crypto';
import type { CodeFacts } from './code-facts.ts';
import type { Language } from './language.ts';

interface Kept {
  readonly facts: Promise<CodeFacts | undefined>;
  readonly length: number;
}

/** The maximum total length of the texts whose facts are cached, in characters: more than a typical review reads. */
const maxKeptLength = 4 * 1024 * 1024;
const kept = new Map<string, Kept>();
let keptLength = 0;

/**
 * The facts of a text, from an LRU cache: successive parts of a review in one process read the same files, and most files are
 * equal on both sides of a change.
 */
export function readFacts(
  language: Language,
  path: string,
  text: string,
  formerNames: readonly string[] = [],
): Promise<CodeFacts | undefined> {
  const key = [language.name, path, hash('sha256', text), ...formerNames].join('\0');
  const known = kept.get(key);
  if (known !== undefined) {
    // Moves it to the end of the map, so that the most recently used entry is dropped last.
    kept.delete(key);
    kept.set(key, known);
    return known.facts;
  }
  const facts = language.readFacts(path, text, formerNames);
  kept.set(key, { facts, length: text.length });
  keptLength += text.length;
  for (const [oldest, { length }] of kept) {
    if (keptLength <= maxKeptLength) break;
    kept.delete(oldest);
    keptLength -= length;
  }
  return facts;
}

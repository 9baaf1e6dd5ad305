import path from 'node:path';
import { type RuleExample, type RuleSource, ruleSources } from './rule-sources.ts';

/** Queries over the rules of one source; the right answer of each is the Learning next to it. */
export interface RetrievalSet extends Pick<RuleSource, 'name' | 'role' | 'kind'> {
  readonly examples: readonly RuleExample[];
}

const mostExamples = 200;
const mostCharacters = 2000;
const leastLearning = 20;
const leastQuery = 8;

/** Builds the sets from a folder of checkouts; the same commits give the same sets. */
export function readRetrievalSets(folder: string): RetrievalSet[] {
  return ruleSources.map(({ name, role, kind, repository, read }) => {
    const found = read(path.join(folder, repository.split('/')[1]!))
      .filter(({ learning, query }) => learning.length >= leastLearning && query.length >= leastQuery)
      .map(({ learning, query }) => ({
        learning: learning.slice(0, mostCharacters),
        query: query.slice(0, mostCharacters),
      }));
    const unique = [...new Map(found.map((example) => [example.learning, example])).values()];
    if (unique.length === 0) throw new Error(`${repository}: no examples found in ${folder}`);
    return { name, role, kind, examples: evenly(unique, mostExamples) };
  });
}

/** Selects at most this many items, spread evenly. */
function evenly<T>(items: readonly T[], most: number): T[] {
  const step = Math.max(1, items.length / most);
  return Array.from({ length: Math.min(items.length, most) }, (_, index) => items[Math.floor(index * step)]!);
}

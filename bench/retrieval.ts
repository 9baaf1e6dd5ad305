import { Command } from 'commander';
import { createEmbedder } from '../src/capabilities/learnings/embedding/create-embedder.ts';
import type { Embedding } from '../src/capabilities/learnings/embedding/embedder.ts';
import { encodeVectors } from '../src/capabilities/learnings/embedding/vectors/vector-codec.ts';
import { VectorPanels } from '../src/capabilities/learnings/embedding/vectors/vector-panels.ts';
import { publishedState } from '../src/capabilities/learnings/learning-lifecycle.ts';
import { rankLearnings } from '../src/capabilities/learnings/search/rank-learnings.ts';
import { RepositoryIndex } from '../src/capabilities/learnings/search/repository-index.ts';
import { type RetrievalSet, readRetrievalSets } from './retrieval/retrieval-sets.ts';

const { args } = new Command('npm run bench:retrieval --')
  .description(
    'Measures retrieval with the built-in model on the examples of public style guides and linters: their bad examples ' +
      'and complaints ask for the rule they belong to. Weights are chosen on the validation sets alone.',
  )
  .argument(
    '<folder>',
    'a folder with checkouts of the repositories in bench/retrieval/rule-sources.ts, by their names',
  )
  .parse();

const model = createEmbedder({});
const at = 5;
const deepest = 30;

interface Figures {
  readonly recall: number;
  readonly reciprocalRank: number;
}

async function embedAll(texts: readonly string[]): Promise<Embedding[]> {
  const embeddings: Embedding[] = [];
  for (let start = 0; start < texts.length; start += 16) {
    embeddings.push(...(await model.embed(texts.slice(start, start + 16), { kind: 'document' })));
  }
  return embeddings;
}

function indexOf(set: RetrievalSet, embeddings: readonly Embedding[] | undefined): RepositoryIndex {
  const panels = new VectorPanels(model.dimensions!);
  const index = new RepositoryIndex(() => panels);
  for (const [position, { learning }] of set.examples.entries()) {
    index.put({
      facts: { id: String(position), file: null, state: publishedState },
      // Without its words, so that a Learning can only be found by meaning.
      text: learning,
      vectors: embeddings === undefined ? null : encodeVectors(embeddings[position]!),
    });
  }
  return index;
}

function figures(ranks: readonly number[]): Figures {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    recall: mean(ranks.map((rank) => (rank < at ? 1 : 0))),
    reciprocalRank: mean(ranks.map((rank) => 1 / (rank + 1))),
  };
}

async function measure(set: RetrievalSet): Promise<Record<'both' | 'meaning' | 'words', Figures>> {
  const learnings = await embedAll(set.examples.map(({ learning }) => learning));
  const queries = await embedAll(set.examples.map(({ query }) => query));
  const index = indexOf(set, learnings);
  const ranksOf = (ask: (position: number) => { text: string; embedding: Embedding | undefined }) =>
    figures(
      set.examples.map((_, position) => {
        const found = rankLearnings(index, ask(position), () => true, deepest);
        const rank = found.findIndex(({ facts }) => facts.id === String(position));
        return rank === -1 ? Number.POSITIVE_INFINITY : rank;
      }),
    );
  return {
    both: ranksOf((position) => ({ text: set.examples[position]!.query, embedding: queries[position] })),
    meaning: ranksOf((position) => ({ text: '', embedding: queries[position] })),
    words: ranksOf((position) => ({ text: set.examples[position]!.query, embedding: undefined })),
  };
}

const shown = ({ recall, reciprocalRank }: Figures) => `${recall.toFixed(3)} / ${reciprocalRank.toFixed(3)}`;

process.stdout.write(
  '| Set | Queries | Both | Meaning alone | Words alone |\n| --- | --- | --- | --- | --- |\n',
);
try {
  for (const role of ['validation', 'held-out'] as const) {
    const measured: Awaited<ReturnType<typeof measure>>[] = [];
    for (const set of readRetrievalSets(args[0]!).filter((one) => one.role === role)) {
      const result = await measure(set);
      measured.push(result);
      const cells = [
        set.name,
        set.examples.length,
        shown(result.both),
        shown(result.meaning),
        shown(result.words),
      ];
      process.stdout.write(`| ${cells.join(' | ')} |\n`);
    }
    const mean = (kind: 'both' | 'meaning' | 'words') => {
      const average = (pick: (one: Figures) => number) =>
        measured.reduce((sum, one) => sum + pick(one[kind]), 0) / measured.length;
      return shown({
        recall: average((one) => one.recall),
        reciprocalRank: average((one) => one.reciprocalRank),
      });
    };
    process.stdout.write(
      `| **mean, ${role}** | | **${mean('both')}** | ${mean('meaning')} | ${mean('words')} |\n`,
    );
  }
} finally {
  await model.close();
}

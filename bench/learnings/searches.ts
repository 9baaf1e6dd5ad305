import type { Embedder } from '../../src/capabilities/learnings/embedding/embedder.ts';
import type { Sql } from '../../src/db/database.ts';
import { inTurns, median } from '../metrics/load.ts';
import { repositoryId, type StartApp } from './bench-app.ts';
import { fill, sentence } from './data-set.ts';
import { type PgvectorPeer, type WordMode, wordModes } from './pgvector.ts';
import { print, summary } from './report.ts';
import { dimensions, embedWords } from './word-vectors.ts';

const searchesPerTurn = 3;
/** Searches that are not measured; the same number for each. */
const warmUpTurns = 10;
const turns = 15;
const starts = 3;

const embedder: Embedder = {
  id: 'bench',
  dimensions,
  embed: async (texts) => texts.map((text) => [embedWords(text)]),
  close: async () => {},
};

const modeNames: Record<WordMode, string> = {
  all_words: 'all words of the query',
  any_word: 'any of its words',
};

/** The size of a search's repository, and the goal for its speed. */
export interface SearchSize {
  readonly repository: 'search' | 'large';
  readonly count: number;
  readonly goal: string;
}

type Search = (query: string) => Promise<unknown>;

let seed = 0;

/** The duration of a search for a new sentence, in milliseconds. */
async function timed(search: Search): Promise<number> {
  seed += 1;
  const query = sentence(seed);
  const begin = performance.now();
  await search(query);
  return performance.now() - begin;
}

/** Searches among that many Learnings of one repository over HTTP, in turns with pgvector if there is one. */
export async function benchSearches(
  start: StartApp,
  sql: Sql,
  { repository, count, goal }: SearchSize,
  peer: PgvectorPeer | undefined,
): Promise<void> {
  let app = await start(embedder);
  await fill(sql, repository, count, embedder.id);
  await peer?.fill(repository, count);
  const own: Search = async (query) => {
    const body = { repository_id: repositoryId(repository), query, limit: 10 };
    const { json } = await app.send('POST', '/v1/learnings/search', body);
    if (json.data.length !== 10) throw new Error(`${json.data.length} of 10 Learnings were found`);
  };
  // Each start loads the repository anew.
  const firsts: number[] = [];
  for (let index = 0; index < starts; index += 1) {
    await app.close();
    app = await start(embedder);
    firsts.push(await timed(own));
  }
  const times: number[] = [];
  const medianOf =
    (search: Search, into: number[] = []) =>
    async () => {
      await sql`TRUNCATE rate_limit_windows`;
      const some: number[] = [];
      for (let index = 0; index < searchesPerTurn; index += 1) some.push(await timed(search));
      into.push(...some);
      return median(some);
    };
  const subjects: Record<string, () => Promise<number>> = { own: medianOf(own, times) };
  if (peer !== undefined)
    for (const mode of wordModes) subjects[mode] = medianOf((query) => peer.search(repository, mode, query));
  await inTurns(subjects, warmUpTurns);
  times.length = 0;
  const { medians, ratio } = await inTurns(subjects, turns);
  print(
    `search among ${count} Learnings of one repository (goal ${goal}): ${summary(times)}; median of turns ${medians.own!.toFixed(1)} ms; the first after a start, which loads them, ${median(firsts).toFixed(0)} ms`,
  );
  if (peer === undefined)
    print('  pgvector exact with tsvector: not measured; name a database that has it with --pgvector');
  else
    for (const mode of wordModes)
      print(
        `  ${peer.version}, exact, with tsvector, ${modeNames[mode]}: p50 ${medians[mode]!.toFixed(1)} ms, ${ratio(mode, 'own').toFixed(1)} × as long`,
      );
  await app.close();
}

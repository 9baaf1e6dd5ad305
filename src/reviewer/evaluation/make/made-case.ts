import type { SeededRandom } from '../../../lib/seeded-random.ts';
import type { RepositoryPlace } from '../../repository/repository.ts';
import type { GoldenFinding } from '../dataset.ts';
import type { CaseRepository } from './case-repository.ts';
import type { HistoryCommit } from './list-commits.ts';

/** A case as its file says it, with the end of the name of its folder. */
export interface MadeCase {
  readonly name: string;
  readonly base: string;
  readonly head: string;
  readonly golden: readonly GoldenFinding[];
  readonly one_of?: true;
  readonly kind: string;
  readonly language: string;
  readonly rule?: string;
  readonly resolvable?: boolean;
  readonly symbol?: string;
}

/** One way to make cases of commits. */
export interface CaseMaker {
  /** Whether a commit is worth a look, told from its title and the names of its files. */
  isCandidate(commit: HistoryCommit): boolean;
  /** The cases of a commit; none where it does not lend itself to any. */
  make(
    commit: HistoryCommit,
    given: {
      readonly repository: RepositoryPlace;
      readonly target: CaseRepository;
      readonly random: SeededRandom;
    },
  ): Promise<MadeCase[]>;
}

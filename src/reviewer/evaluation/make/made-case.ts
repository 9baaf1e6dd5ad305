import type { SeededRandom } from '../../../lib/seeded-random.ts';
import type { RepositoryPlace } from '../../repository/repository.ts';
import type { GoldenFinding } from '../dataset.ts';
import type { CaseRepository } from './case-repository.ts';
import type { HistoryCommit } from './list-commits.ts';

/** The content of a case.json; `name` is the suffix of its folder's name. */
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

/** A way to make cases from commits. */
export interface CaseMaker {
  /** Whether a commit may be suitable, judged by its title and paths alone. */
  isCandidate(commit: HistoryCommit): boolean;
  /** The cases of a commit; none if it is not suitable. */
  make(
    commit: HistoryCommit,
    given: {
      readonly repository: RepositoryPlace;
      readonly target: CaseRepository;
      readonly random: SeededRandom;
    },
  ): Promise<MadeCase[]>;
}

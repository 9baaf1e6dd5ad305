import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import type { CsvColumn } from '../../../lib/wire/csv.ts';
import { categories, severities } from '../../../reviewer/finding-vocabulary.ts';
import { parseCounts } from '../record/entry-text.ts';

/** An entry of the list of reviews as it is stored. */
export interface StoredReview {
  readonly pr_url: string;
  readonly organization_id: string;
  readonly repository_id: string;
  readonly author_id: string | null;
  readonly merged_at: string | null;
  readonly details: {
    readonly organization_id: OrganizationId;
    readonly repository_id: RepositoryId;
    readonly author_username: string | null;
    readonly created_at: string;
    readonly ready_for_review_at: string | null;
    readonly first_human_review_at: string | null;
    readonly last_commit_at: string | null;
    readonly closed_at: string | null;
    readonly status: 'merged' | 'closed';
    readonly review_iterations: number | null;
    readonly estimated_complexity: number | null;
    readonly estimated_review_minutes: number | null;
    readonly counts: readonly number[] | null;
  };
}

export interface ReviewNames {
  readonly organization: string;
  readonly repository: string;
}

function instant(text: string): string {
  return new Date(text).toISOString();
}

function instantOrNull(text: string | null): string | null {
  return text === null ? null : instant(text);
}

/** A stored review as a row of GET /v1/metrics/reviews. */
export function presentReview({ details, ...head }: StoredReview, names: ReviewNames) {
  const { total, ...counts } = parseCounts(details.counts);
  const pick = <Name extends keyof typeof counts>(leaves: readonly Name[]) =>
    Object.fromEntries(leaves.map((leaf) => [leaf, counts[leaf]])) as Pick<typeof counts, Name>;
  return {
    pr_url: head.pr_url,
    author_id: head.author_id,
    author_username: details.author_username,
    organization_id: head.organization_id,
    organization_name: names.organization,
    repository_id: head.repository_id,
    repository_name: names.repository,
    created_at: instant(details.created_at),
    ready_for_review_at: instantOrNull(details.ready_for_review_at),
    first_human_review_at: instantOrNull(details.first_human_review_at),
    last_commit_at: instantOrNull(details.last_commit_at),
    merged_at: head.merged_at,
    closed_at: instantOrNull(details.closed_at),
    status: details.status,
    review_iterations: details.review_iterations,
    estimated_complexity: details.estimated_complexity,
    estimated_review_minutes: details.estimated_review_minutes,
    coderabbit_comments: { total, severity: pick(severities), category: pick(categories) },
  };
}

export type ReviewRow = ReturnType<typeof presentReview>;

const scalars = [
  'pr_url',
  'author_id',
  'author_username',
  'organization_id',
  'organization_name',
  'repository_id',
  'repository_name',
  'created_at',
  'ready_for_review_at',
  'first_human_review_at',
  'last_commit_at',
  'merged_at',
  'closed_at',
  'status',
  'review_iterations',
  'estimated_complexity',
  'estimated_review_minutes',
] as const satisfies readonly (keyof ReviewRow)[];

function countColumns(
  name: (measure: 'posted' | 'accepted') => string,
  leaf: (comments: ReviewRow['coderabbit_comments']) => { posted: number; accepted: number },
): CsvColumn<ReviewRow>[] {
  return (['posted', 'accepted'] as const).map((measure) => ({
    name: name(measure),
    cell: (row) => leaf(row.coderabbit_comments)[measure],
  }));
}

/** The columns of the CSV format, with the nested counts flattened. */
export const reviewColumns: readonly CsvColumn<ReviewRow>[] = [
  ...scalars.map((name): CsvColumn<ReviewRow> => ({ name, cell: (row) => row[name] })),
  ...countColumns(
    (measure) => `total_coderabbit_comments_${measure}`,
    ({ total }) => total,
  ),
  ...severities.flatMap((leaf) =>
    countColumns(
      (measure) => `${leaf}_comments_${measure}`,
      ({ severity }) => severity[leaf],
    ),
  ),
  ...categories.flatMap((leaf) =>
    countColumns(
      (measure) => `${leaf}_comments_${measure}`,
      ({ category }) => category[leaf],
    ),
  ),
];

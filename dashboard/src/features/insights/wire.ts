import type { z } from 'zod';
import type * as schemas from '../../../../src/capabilities/insights/schemas.ts';

export type PullRequestPage = z.output<typeof schemas.pullRequestPage>;
export type ListedPullRequest = PullRequestPage['data'][number];
export type CommentPage = z.output<typeof schemas.commentPage>;
export type ListedComment = CommentPage['data'][number];
export type PullRequest = z.output<typeof schemas.pullRequestDetails>;
export type PullRequestComment = PullRequest['comments'][number];
export type KnownData = z.output<typeof schemas.knownData>;
export type WindowSummary = z.output<typeof schemas.windowSummary>;
export type Measures = WindowSummary['total'];
export type Spread = Measures['merge'];
export type BreakdownPage = z.output<typeof schemas.breakdownPage>;
export type BreakdownGroup = BreakdownPage['data'][number];

import type { z } from 'zod';
import type {
  breakdownPage,
  commentPage,
  pullRequestDetails,
  pullRequestPage,
  windowSummary,
} from '../../../../src/capabilities/insights/schemas.ts';

export type PullRequestPage = z.output<typeof pullRequestPage>;
export type ListedPullRequest = PullRequestPage['data'][number];
export type CommentPage = z.output<typeof commentPage>;
export type ListedComment = CommentPage['data'][number];
export type PullRequest = z.output<typeof pullRequestDetails>;
export type PullRequestComment = PullRequest['comments'][number];
export type WindowSummary = z.output<typeof windowSummary>;
export type Measures = WindowSummary['total'];
export type Spread = Measures['merge'];
export type BreakdownPage = z.output<typeof breakdownPage>;
export type BreakdownGroup = BreakdownPage['data'][number];

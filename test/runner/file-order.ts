import assert from 'node:assert/strict';
import { globSync } from 'node:fs';

/** Small tests of `src` come last: they are short, so that no processor idles while another runs a long one. */
const patterns = ['test/**/*.test.ts', 'dashboard/**/*.test.ts', 'src/**/*.test.ts'];

/** The slowest files, slowest first, so that none of them starts last. Many of them wait more than they compute. */
const long = [
  'test/fuzz/fuzz.test.ts',
  'test/dashboard/pages.test.ts',
  'test/access.test.ts',
  'test/process.test.ts',
  'test/guides/guides.test.ts',
  'src/capabilities/conversations/fix-command.test.ts',
  'src/capabilities/reviews/reviewed-pull-requests/running/crashes.test.ts',
  'test/watchdog/watchdog.test.ts',
  'src/cli/reviews/review-command.test.ts',
  'src/db/database-away.test.ts',
  'test/watchdog/poison-run.test.ts',
  'src/capabilities/reviews/checks/checked-on-hosts.test.ts',
  'test/dashboard/inbox.test.ts',
  'src/reviewer/model/review-by-model.test.ts',
  'src/work/work-queue.test.ts',
  'test/database-troubles.test.ts',
  'src/db/embedded/archive-owner.test.ts',
  'test/reviews-survive-kill.test.ts',
  'src/capabilities/reviews/runs/durable-runs.test.ts',
  'src/capabilities/reviews/reviewed-pull-requests/pull-request-runs.test.ts',
  'src/cli/demo/demo-command.test.ts',
  'src/capabilities/reviews/runs/killed-node.test.ts',
  'src/capabilities/conversations/conversations.test.ts',
  'src/capabilities/findings/observing/observing.test.ts',
  'src/capabilities/connections/syncing/one-faulty-part.test.ts',
  'test/dashboard/interruptions.test.ts',
  'test/dashboard/large.test.ts',
  'test/dashboard-access.test.ts',
  'test/interruption.test.ts',
  'src/capabilities/reviews/reviewed-pull-requests/following/replayed-histories.test.ts',
  'test/hostile/hostile.test.ts',
  'src/capabilities/connections/hosts/other-origins.test.ts',
  'test/dashboard/reviews.test.ts',
  'src/capabilities/review-metrics/lists/page-isolation.test.ts',
  'src/capabilities/reviews/runs/watching/watch-runs.test.ts',
  'src/cli/evaluation/eval-command.test.ts',
  'src/db/embedded/orphaned-postgres.test.ts',
  'src/outbound/outbound.test.ts',
  'src/capabilities/review-metrics/lists/response-size.test.ts',
  'src/capabilities/intake/content-modes.test.ts',
  'src/cli/connections/connections-commands.test.ts',
  'test/slow-bodies.test.ts',
  'test/dashboard/keyboard.test.ts',
  'test/dashboard/insights.test.ts',
  'src/capabilities/connections/deliveries/hooks.test.ts',
  'src/capabilities/connections/reading/convergence.test.ts',
  'src/cli/restore-command.test.ts',
  'test/dashboard/connections.test.ts',
  'test/dashboard/learnings.test.ts',
  'test/dashboard/pull-request.test.ts',
  'src/models/model-client.test.ts',
  'src/capabilities/conversations/killed-while-answering.test.ts',
  'src/capabilities/connections/syncing/syncing.test.ts',
  'src/cli/evaluation/eval-make-command.test.ts',
  'src/cli/server-response.test.ts',
];

/** The test files in the order in which they start, which depends only on their names. */
export function filesInOrder(root: string): string[] {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }).sort());
  const gone = long.filter((file) => !files.includes(file));
  assert.deepEqual(gone, [], 'test/runner/file-order.ts names test files that are not there');
  return [...long, ...files.filter((file) => !long.includes(file))];
}

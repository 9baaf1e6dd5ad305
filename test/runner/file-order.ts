import assert from 'node:assert/strict';
import { globSync } from 'node:fs';

/** Small tests of `src` come last: they end soon after each other, so that no processor waits for a long one. */
const patterns = ['test/**/*.test.ts', 'dashboard/**/*.test.ts', 'src/**/*.test.ts'];

/** They take longest, most because they start servers or browsers: none may begin last. Those that take most of a processor come first. */
const long = [
  'test/guides/guides.test.ts',
  'test/dashboard/pages.test.ts',
  'test/process.test.ts',
  'test/access.test.ts',
  'test/fuzz/fuzz.test.ts',
  'src/cli/reviews/review-command.test.ts',
  'test/watchdog/watchdog.test.ts',
  'test/dashboard/large.test.ts',
  'test/dashboard/insights.test.ts',
  'src/capabilities/reviews/checks/checked-on-hosts.test.ts',
  'src/capabilities/reviews/reviewed-pull-requests/running/crashes.test.ts',
  'test/dashboard/pull-request.test.ts',
  'src/capabilities/conversations/fix-command.test.ts',
  'test/dashboard/reviews.test.ts',
  'test/package/package.test.ts',
  'test/restored-moment.test.ts',
  'test/shared-archive.test.ts',
  'test/dashboard/inbox.test.ts',
  'test/dashboard-access.test.ts',
  'src/capabilities/reviews/requests/results/results.test.ts',
  'src/capabilities/conversations/conversations.test.ts',
  'src/cli/demo/demo-command.test.ts',
  'src/capabilities/reviews/reviewed-pull-requests/pull-request-runs.test.ts',
  'test/dashboard/actions.test.ts',
  'test/dashboard/connections.test.ts',
  'test/reviews-survive-kill.test.ts',
  'test/interruption.test.ts',
  'src/capabilities/reviews/publishing/reviewed-on-hosts.test.ts',
  'src/cli/evaluation/eval-command.test.ts',
  'src/cli/connections/connections-commands.test.ts',
  'src/capabilities/conversations/killed-while-answering.test.ts',
  'src/capabilities/connections/reading/killed-while-reading.test.ts',
  'src/db/embedded/orphaned-postgres.test.ts',
  'src/capabilities/reviews/runs/killed-node.test.ts',
  'src/db/embedded/embedded-postgres.test.ts',
  'test/webhooks-survive-kill.test.ts',
  'test/digests-survive-kill.test.ts',
  'src/db/embedded/cluster-folder.test.ts',
];

/** The test files, in the order in which they begin. It depends on nothing but their names. */
export function filesInOrder(root: string): string[] {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }).sort());
  const gone = long.filter((file) => !files.includes(file));
  assert.deepEqual(gone, [], 'test/runner/file-order.ts names test files that are not there');
  return [...long, ...files.filter((file) => !long.includes(file))];
}

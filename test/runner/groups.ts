import assert from 'node:assert/strict';
import { globSync } from 'node:fs';

const patterns = ['src/**/*.test.ts', 'dashboard/**/*.test.ts', 'test/**/*.test.ts'];

/** They take longest, most because they start servers or browsers: each has a process of its own, and none begins last. */
const long = [
  'test/guides/guides.test.ts',
  'test/process.test.ts',
  'src/capabilities/conversations/conversations.test.ts',
  'test/dashboard/actions.test.ts',
  'test/dashboard/pages.test.ts',
  'test/dashboard/large.test.ts',
  'test/dashboard/insights.test.ts',
  'test/dashboard/connections.test.ts',
  'test/dashboard/reviews.test.ts',
  'test/reviews-survive-kill.test.ts',
  'test/webhooks-survive-kill.test.ts',
  'test/digests-survive-kill.test.ts',
  'test/interruption.test.ts',
  'src/capabilities/reviews/runs/killed-node.test.ts',
  'src/capabilities/conversations/killed-while-answering.test.ts',
  'src/capabilities/connections/reading/killed-while-reading.test.ts',
  'src/capabilities/reviews/reviewed-pull-requests/pull-request-runs.test.ts',
  'src/capabilities/reviews/reviewed-pull-requests/running/crashes.test.ts',
  'src/capabilities/reviews/publishing/reviewed-on-hosts.test.ts',
  'src/cli/demo/demo-command.test.ts',
  'src/cli/connections/connections-commands.test.ts',
  'src/cli/evaluation/eval-command.test.ts',
  'src/db/embedded/embedded-postgres.test.ts',
  'src/db/embedded/orphaned-postgres.test.ts',
  'src/db/embedded/cluster-folder.test.ts',
];

/** How many of the others share a process: to load the program takes longer than many a file. */
const FILES_PER_PROCESS = 12;

/** The test files, in groups that each run in one process. Which these are depends on nothing but the names of the files. */
export function groupsOf(root: string): string[][] {
  const files = globSync(patterns, { cwd: root }).sort();
  const gone = long.filter((file) => !files.includes(file));
  assert.deepEqual(gone, [], 'test/runner/groups.ts names test files that are not there');
  const others = files.filter((file) => !long.includes(file));
  const groups = long.map((file) => [file]);
  for (let start = 0; start < others.length; start += FILES_PER_PROCESS)
    groups.push(others.slice(start, start + FILES_PER_PROCESS));
  return groups;
}

import type { Command } from 'commander';
import { readApiKey, readRepositoryId, readTerminalSettings } from '../../../command-settings.ts';
import { openRepository } from '../../../reviewer/repository/repository.ts';
import { GitError, type GitSettings, runGit } from '../../../reviewer/repository/run-git.ts';
import { readSettings } from '../../../settings.ts';
import { CommandError, usageExitCode } from '../../command-error.ts';
import { examples } from '../../command-examples.ts';
import { connectReporter } from '../../operator-client.ts';
import { print } from '../../output.ts';
import { readReportFile } from '../../reviews/coverage-files.ts';
import { plural } from '../../reviews/terminal-text.ts';

interface SendOptions {
  readonly repository?: string;
  readonly revision?: string;
}

interface Taken {
  readonly files: number;
  readonly unread_lines?: number;
  readonly pull_requests: readonly number[];
}

const optionNames = { repository_id: '--repository', head_revision: '--revision', report: '<files...>' };

export function addCoverage(program: Command): void {
  program
    .command('coverage')
    .description('coverage of tests, for the check `coverage` before the merge')
    .command('send')
    .argument('<files...>', 'reports of the tests (LCOV, Cobertura, JaCoCo, Go)')
    .description(
      'send coverage reports of a version to the server POSTIL_URL, with POSTIL_SOURCE_KEY or POSTIL_API_KEY; several reports are combined',
    )
    .option('--repository <id>', 'its id at the Git provider (default: POSTIL_REPOSITORY_ID)')
    .option('--revision <commit>', 'the commit whose tests were run (default: that of the working copy)')
    .addHelpText(
      'after',
      examples(
        'postil coverage send coverage/lcov.info --repository 501',
        'postil coverage send unit.xml browser.xml --repository 501 --revision "$CI_COMMIT_SHA"',
      ),
    )
    .action(async (files: string[], options: SendOptions) => {
      const { folder, searchPath } = readTerminalSettings();
      const repository = options.repository ?? readRepositoryId();
      if (repository === undefined)
        throw new CommandError(
          'Name the repository by its id at the Git provider: use --repository or POSTIL_REPOSITORY_ID',
          usageExitCode,
        );
      const reports = await Promise.all(files.map((file) => readReportFile(folder, file)));
      const revision = options.revision ?? (await revisionHere(folder, { searchPath }));
      const client = await connectReporter(readSettings(), readApiKey());
      for (const { name, format, text } of reports) {
        const json = { repository_id: repository, head_revision: revision, format, report: text };
        const request = { method: 'POST', path: '/v1/reviews/coverage', json, optionNames } as const;
        const taken = (await client.send(request)) as Taken;
        const pulls = taken.pull_requests.map((number) => `#${number}`).join(', ');
        const { unread_lines = 0 } = taken;
        const unread = unread_lines === 0 ? '' : `, ${plural(unread_lines, 'line')} cannot be read`;
        const checked = pulls === '' ? '' : `; will be checked again: ${pulls}`;
        print(
          `${name}: ${format}, ${plural(taken.files, 'file')}${unread}, for ${revision.slice(0, 10)}${checked}`,
        );
      }
    });
}

/**
 * The title of the commit that GitHub checks out for a pull request: a commit of its own, which merges the head into the base.
 */
const mergedByHost = /^Merge [0-9a-f]{40} into [0-9a-f]{40}$/;

/** The commit of the working copy; if it is such a merge commit of the host, the pushed head instead. */
async function revisionHere(folder: string, settings: GitSettings): Promise<string> {
  try {
    const repository = await openRepository(folder, settings);
    try {
      const shown = await runGit(['log', '-1', '--format=%H%n%P%n%s', 'HEAD'], repository.call);
      const [own = '', parents = '', title = ''] = shown.toString().split('\n');
      const [, pushed] = parents.split(' ');
      return pushed !== undefined && mergedByHost.test(title) ? pushed : own;
    } finally {
      await repository.close();
    }
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new CommandError(`Name the commit with --revision: ${error.message}`, usageExitCode);
  }
}

import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Command, Option } from 'commander';
import {
  readLearningsServer,
  readLocalReviewSettings,
  readTerminalSettings,
} from '../../../command-settings.ts';
import { readPostilFile } from '../../../reviewer/configuration/read-postil-file.ts';
import type { PostilFile } from '../../../reviewer/configuration/review-configuration.ts';
import { type Severity, severities } from '../../../reviewer/finding-vocabulary.ts';
import { withoutQuiet } from '../../../reviewer/judge/attention.ts';
import { reaches } from '../../../reviewer/judge/judge.ts';
import { createReviewProcesses } from '../../../reviewer/process/review-processes.ts';
import { presentResult } from '../../../reviewer/review/present-result.ts';
import type { CheckVerdict } from '../../../reviewer/review-report.ts';
import { CommandError, usageExitCode } from '../../command-error.ts';
import { examples } from '../../command-examples.ts';
import { print, printNote, startProgress } from '../../output.ts';
import { readReportFile } from '../../reviews/coverage-files.ts';
import { applyFixes } from '../../reviews/fixes/apply-fixes.ts';
import type { WrittenFixes } from '../../reviews/fixes/write-fixes.ts';
import { formatGitHub } from '../../reviews/format-github.ts';
import { formatSarif } from '../../reviews/format-sarif.ts';
import { formatText, type TextLook } from '../../reviews/format-text.ts';
import { openLocalModel } from '../../reviews/local-model.ts';
import { readNamedFile } from '../../reviews/read-named-file.ts';
import { type LocalResult, reviewWorkingCopy } from '../../reviews/review-working-copy.ts';
import { serverLearnings } from '../../reviews/server-learnings.ts';

interface ReviewOptions {
  readonly base?: string;
  readonly head?: string;
  readonly staged?: true;
  readonly format: 'text' | 'json' | 'sarif' | 'github';
  readonly failOn?: Severity | 'none';
  readonly config?: string;
  readonly osv?: string;
  readonly repository?: string;
  readonly sarif: readonly string[];
  /** Undefined if not given: then it depends on whether the output is a terminal, and on the size of the change. */
  readonly report?: boolean;
  readonly fix?: true;
  readonly coverage?: readonly string[];
}

/** In larger changes a report is too long to read by default. */
const maxFilesWithReport = 40;

/** The Learnings of a server, if one is configured with a key and the repository is known; otherwise undefined. */
function learningsFor({ repository }: ReviewOptions) {
  const server = readLearningsServer();
  const repositoryId = repository ?? server?.repositoryId;
  if (server === undefined) {
    if (repository === undefined) return undefined;
    throw new CommandError('--repository needs POSTIL_URL and POSTIL_API_KEY', usageExitCode);
  }
  if (repositoryId !== undefined) return serverLearnings({ ...server, repositoryId });
  printNote('Without --repository or POSTIL_REPOSITORY_ID, the Learnings of the server are not used.');
  return undefined;
}

export function addReview(program: Command): void {
  program
    .command('review')
    .description(
      'review the changes of a Git working copy; needs no server and no key (uses a model if POSTIL_MODEL_URL is set)',
    )
    .argument('[paths...]', 'only these files, folders or globs')
    .option(
      '--base <revision>',
      'the base of the comparison (default: main, otherwise the default branch of the remote)',
    )
    .option(
      '--head <revision>',
      'the revision to review (default: the working copy with everything that is not committed)',
    )
    .option(
      '--staged',
      'review the staged changes with rules only; prints nothing if there are no problems (for hooks)',
    )
    .addOption(
      new Option('--format <format>', 'how the result is written')
        .choices(['text', 'json', 'sarif', 'github'])
        .default('text'),
    )
    .addOption(
      new Option(
        '--fail-on <severity>',
        'exit with 1 if a finding has at least this severity (default: fail_on of the configuration, otherwise critical)',
      ).choices([...severities, 'none']),
    )
    .option(
      '--repository <id>',
      'with a model: its id at the Git provider, for Learnings of the server POSTIL_URL with the key POSTIL_API_KEY (default: POSTIL_REPOSITORY_ID)',
    )
    .option(
      '--sarif <file>',
      'a SARIF log of another analyzer about this version; may be repeated',
      (file: string, files: readonly string[]) => [...files, file],
      [],
    )
    .option(
      '--report',
      'print the report after the findings (default: on a terminal, for at most 40 changed files)',
    )
    .option('--no-report', 'print no report')
    .option(
      '--fix',
      'apply the suggestions of rules to the files of the working copy; changes only lines with findings',
    )
    .option(
      '--coverage <files...>',
      'coverage reports of the tests, for the check `coverage` (LCOV, Cobertura, JaCoCo, Go)',
    )
    .option(
      '--osv <folder>',
      'look up versions in OSV documents and zip archives of this folder (default: POSTIL_OSV_DIR)',
    )
    .option('--config <file>', 'use this configuration instead of the .postil.yaml in the base')
    .addHelpText(
      'after',
      examples(
        'postil review',
        'postil review --base origin/main --fail-on major',
        'postil review --staged',
        'postil review --coverage coverage/lcov.info',
        'postil review --format sarif src > review.sarif',
        'postil review --sarif eslint.sarif --sarif codeql.sarif',
      ),
    )
    .action(async (paths: string[], options: ReviewOptions) => {
      refuseMisfits(options);
      const { folder, searchPath, home, indexFile, isTerminal, hasColour } = readTerminalSettings();
      const configuration =
        options.config === undefined ? undefined : await readConfiguration(folder, options.config);
      const { model: settings, reviewLimits, reviewProcesses, osvFolder } = readLocalReviewSettings();
      const osv = await osvFolders(folder, options.osv ?? osvFolder);
      const processes = createReviewProcesses(reviewProcesses);
      processes.warm();
      const model =
        settings === undefined || options.staged ? undefined : await openLocalModel(settings, reviewLimits);
      const startedAt = new Date();
      const progress = startProgress('Reviewing');
      const review = {
        folder,
        searchPath,
        home,
        base: options.base,
        head: options.head,
        staged: options.staged && { indexFile },
        paths,
        configuration,
        osv,
        coverage: await Promise.all((options.coverage ?? []).map((file) => readReportFile(folder, file))),
        sarif: options.sarif,
      };
      const local = await reviewWorkingCopy({
        ...review,
        processes,
        maxSeconds: reviewLimits.maxSeconds,
        model: model?.reviewer({ learnings: learningsFor(options) }),
        onProgress: (done, total) => progress.update(done, total),
      }).finally(() => {
        progress.end();
        return model?.close();
      });
      let written: WrittenFixes | undefined;
      try {
        const isSmall = local.result.coverage.length <= maxFilesWithReport;
        const hasReport = options.report ?? (isTerminal && isSmall && !options.staged);
        const text = await formatResult(local, options.format, startedAt, {
          hasColour,
          hasReport,
          isByRulesAlone:
            settings === undefined && !options.staged && local.configuration.reviews.model.enabled,
          isBrief: options.staged === true,
        });
        if (text !== '') print(text);
        if (options.fix) written = await applyFixes(local);
      } finally {
        await local.close();
        await processes.stop();
      }
      const { status, reason, coverage, quiet = [] } = local.result;
      if (status === 'degraded' && coverage.length === 0) throw new CommandError(reason!);
      const floor = options.failOn ?? local.configuration.reviews.fail_on;
      const failing = withoutQuiet([...local.result.findings, ...local.result.overflow], quiet).filter(
        ({ severity, identity }) => reaches(severity, floor) && !written?.fixed.has(identity),
      );
      if (written !== undefined && written.refused.length > 0)
        throw new CommandError('Not everything could be fixed');
      if (failing.length > 0)
        throw new CommandError(
          `${failing.length === 1 ? 'A finding is' : `${failing.length} findings are`} ${floor}${floor === 'critical' ? '' : ' or worse'}`,
        );
      const broken = (local.result.report?.checks ?? []).filter(isBroken).map(({ name }) => name);
      if (broken.length > 0)
        throw new CommandError(
          `${broken.length === 1 ? 'A check' : `${broken.length} checks`} failed: ${broken.join(', ')}`,
        );
    });
}

/** Refuses options that contradict each other about what is reviewed, or by what. */
function refuseMisfits({ fix, base, head, staged, repository }: ReviewOptions): void {
  const refuse = (message: string) => {
    throw new CommandError(message, usageExitCode);
  };
  if (fix && head !== undefined)
    refuse('--fix works on the working copy, so it cannot be combined with --head');
  const others = { '--base': base, '--head': head, '--fix': fix, '--repository': repository };
  for (const [name, value] of Object.entries(others))
    if (staged && value !== undefined)
      refuse(`--staged compares the index with HEAD by rules alone, so it cannot be combined with ${name}`);
}

const isBroken = ({ verdict, mode }: CheckVerdict) => verdict === 'failed' && mode === 'error';

/** The folder of the option, relative to the one where the command was called; it must exist. */
async function osvFolders(folder: string, given: string | undefined): Promise<string[]> {
  if (given === undefined) return [];
  const place = path.resolve(folder, given);
  const found = await stat(place).catch(() => undefined);
  if (found === undefined)
    throw new CommandError(`There is no folder ${given} with advisories`, usageExitCode);
  return [place];
}

async function readConfiguration(folder: string, file: string): Promise<PostilFile> {
  const read = readPostilFile(await readNamedFile(folder, file, 1));
  if ('file' in read) return read.file;
  const faults = read.faults.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
  throw new CommandError(faults.join('\n'), usageExitCode);
}

async function formatResult(
  local: LocalResult,
  format: ReviewOptions['format'],
  startedAt: Date,
  look: TextLook,
): Promise<string> {
  switch (format) {
    case 'sarif':
      return formatSarif(local.result);
    case 'github':
      return formatGitHub(local.result);
    case 'json':
      return JSON.stringify(runObject(local, startedAt), null, 2);
    case 'text':
      return formatText(local, look);
  }
}

/** The run object of the API, for a run that is not stored on a server. */
function runObject({ result }: LocalResult, startedAt: Date) {
  return {
    id: randomUUID(),
    repository_id: null,
    pull_request: null,
    pr_url: null,
    trigger: 'command_line',
    mode: 'full',
    created_at: startedAt.toISOString(),
    started_at: startedAt.toISOString(),
    finished_at: new Date().toISOString(),
    release: null,
    fix: null,
    ...presentResult(result),
  };
}

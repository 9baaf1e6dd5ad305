import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readLocalReviewSettings, readTerminalSettings } from '../../../command-settings.ts';
import { DatasetError, readDataset } from '../../../reviewer/evaluation/dataset.ts';
import { createReviewProcesses } from '../../../reviewer/process/review-processes.ts';
import { CommandError, usageExitCode } from '../../command-error.ts';
import { examples } from '../../command-examples.ts';
import { formatReport } from '../../evaluation/report.ts';
import { runEvaluation } from '../../evaluation/run-evaluation.ts';
import { parseCount } from '../../option-values.ts';
import { print, startProgress } from '../../output.ts';
import { openLocalModel } from '../../reviews/local-model.ts';
import { addEvalMake } from './eval-make.ts';

interface EvalOptions {
  readonly dataset?: string;
  readonly model?: string;
  readonly limit?: number;
  readonly format: 'text' | 'json';
  readonly maxUsd?: number;
  readonly results?: string;
  readonly fresh?: boolean;
}

function parseUsd(text: string): number {
  if (/^\d{1,6}(\.\d{1,4})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use an amount in US$ such as 2.50.');
}

export function addEval(program: Command): void {
  const command = program
    .command('eval')
    .description('measure the reviewer on changes with known faults')
    // No option is required by commander, because the subcommands do not need any.
    .enablePositionalOptions()
    .option('--dataset <folder>', 'a folder of cases (docs/evaluation.md)')
    .option('--model <name>', 'use this model instead of POSTIL_MODEL_NAME, at the same address')
    .option(
      '--limit <number>',
      'the maximum number of cases, the first ones by name',
      parseCount(1, 1_000_000),
    )
    .addOption(
      new Option('--format <format>', 'format of the report').choices(['text', 'json']).default('text'),
    )
    .option('--max-usd <amount>', 'stop before more is spent; needs the prices of the model', parseUsd)
    .option('--results <file>', 'file for the results (default: results.ndjson in the data set)')
    .option('--fresh', 'also evaluate cases that have a result already')
    .addHelpText(
      'after',
      examples(
        'postil eval --dataset cases',
        'postil eval --dataset cases --model other-model --limit 20 --max-usd 2.50 --format json',
        'postil eval make withheld --repository . --out cases',
      ),
    )
    .action(async (options: EvalOptions) => {
      if (options.dataset === undefined)
        throw new CommandError("error: required option '--dataset <folder>' not specified", usageExitCode);
      const { folder, searchPath } = readTerminalSettings();
      const { model: configured, reviewLimits, reviewProcesses } = readLocalReviewSettings();
      if (configured === undefined && options.model !== undefined)
        throw new CommandError('--model needs POSTIL_MODEL_URL and POSTIL_MODEL_NAME', usageExitCode);
      const settings = configured && { ...configured, name: options.model ?? configured.name };
      if (options.maxUsd !== undefined && !(settings && settings.priceIn + settings.priceOut > 0))
        throw new CommandError(
          '--max-usd needs a model with POSTIL_MODEL_PRICE_IN and POSTIL_MODEL_PRICE_OUT',
          usageExitCode,
        );
      const dataset = path.resolve(folder, options.dataset);
      const cases = await readDataset(dataset).catch((error: Error) => {
        throw error instanceof DatasetError ? new CommandError(error.message, usageExitCode) : error;
      });
      const model = settings === undefined ? undefined : await openLocalModel(settings, reviewLimits);
      const processes = createReviewProcesses(reviewProcesses);
      const progress = startProgress('Evaluating');
      const report = await runEvaluation({
        cases: cases.slice(0, options.limit),
        model,
        modelName: settings?.name ?? 'rules only',
        maxUsd: options.maxUsd,
        resultsFile: path.resolve(folder, options.results ?? path.join(dataset, 'results.ndjson')),
        isFresh: options.fresh === true,
        searchPath,
        processes,
        onProgress: (done, total) => progress.update(done, total),
      }).finally(async () => {
        progress.end();
        await model?.close();
        await processes.stop();
      });
      print(options.format === 'json' ? JSON.stringify(report, null, 2) : formatReport(report));
      if (report.failed.length > 0)
        throw new CommandError(`${report.failed.length} of the cases could not be evaluated`);
    });
  addEvalMake(command.command('make').description('make a data set from the history of a repository'));
}

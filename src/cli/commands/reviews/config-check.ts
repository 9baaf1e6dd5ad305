import path from 'node:path';
import type { Command } from 'commander';
import { readTerminalSettings } from '../../../command-settings.ts';
import { type CheckOrigin, effectiveChecks } from '../../../reviewer/checks/effective-checks.ts';
import { readCodeRabbitFile } from '../../../reviewer/configuration/read-coderabbit-file.ts';
import { type ConfigurationFault, readPostilFile } from '../../../reviewer/configuration/read-postil-file.ts';
import type { PostilFile } from '../../../reviewer/configuration/review-configuration.ts';
import { CommandError } from '../../command-error.ts';
import { examples } from '../../command-examples.ts';
import { openInput, readInputText } from '../../input-file.ts';
import { print } from '../../output.ts';
import { onOneLine } from '../../reviews/terminal-text.ts';

export function addConfigCheck(config: Command): void {
  config
    .command('check')
    .description('check a .postil.yaml, or which settings of a .coderabbit.yaml have no counterpart')
    .argument('<file>', 'the file; - for standard input')
    .addHelpText(
      'after',
      examples('postil config check .postil.yaml', 'postil config check .coderabbit.yaml'),
    )
    .action(async (file: string) => {
      const input = await openInput(file, readTerminalSettings().folder);
      const text = await readInputText(input, 1);
      if (/^\.?coderabbit\.ya?ml$/.test(path.basename(file))) return checkForeign(input.name, text);
      const read = readPostilFile(text);
      if ('faults' in read) throw new CommandError(explain(input.name, read.faults));
      print(`${input.name} is valid`);
      for (const line of checkLines(read.file)) print(line);
    });
}

/** The checks in a file, one per line; settings that the file leaves out have their built-in values. */
function checkLines({ checks }: PostilFile): string[] {
  const held = effectiveChecks({ file: checks });
  const width = Math.max(0, ...held.map(({ name }) => name.length));
  return held.map(({ name, mode, mode_from, settings }) => {
    const shown = settings.map(
      ({ field, value, from }) => `${field} ${JSON.stringify(value)}${origin(from)}`,
    );
    return `  ${name.padEnd(width)}  ${mode}${origin(mode_from)}  ${onOneLine(shown.join(', '))}`.trimEnd();
  });
}

const origin = (from: CheckOrigin) => (from === 'built_in' ? ' (built in)' : '');

function checkForeign(name: string, text: string): void {
  const read = readCodeRabbitFile(text);
  if ('faults' in read) throw new CommandError(explain(name, read.faults));
  print(`${name} can be used`);
  for (const setting of read.ignored) print(`  no counterpart: ${setting}`);
}

function explain(name: string, faults: readonly ConfigurationFault[]): string {
  return faults.map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`).join('\n');
}

import path from 'node:path';
import type { Command } from 'commander';
import { readCodeRabbitFile } from '../../../reviewer/configuration/read-coderabbit-file.ts';
import { type ConfigurationFault, readPostilFile } from '../../../reviewer/configuration/read-postil-file.ts';
import { readTerminalSettings } from '../../../settings.ts';
import { CommandError } from '../../command-error.ts';
import { examples } from '../../examples.ts';
import { openInput, readInputText } from '../../input-file.ts';
import { print } from '../../output.ts';

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
    });
}

function checkForeign(name: string, text: string): void {
  const read = readCodeRabbitFile(text);
  if ('faults' in read) throw new CommandError(explain(name, read.faults));
  print(`${name} can be used`);
  for (const setting of read.ignored) print(`  no counterpart: ${setting}`);
}

function explain(name: string, faults: readonly ConfigurationFault[]): string {
  return faults.map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`).join('\n');
}

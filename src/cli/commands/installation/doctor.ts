import path from 'node:path';
import type { Command } from 'commander';
import { readSettings } from '../../../settings.ts';
import { CommandError } from '../../command-error.ts';
import { examples } from '../../examples.ts';
import { type Check, checksOf, leadsToDataFolder } from '../../installation-checks.ts';
import { print } from '../../output.ts';

/** Makes the checks and prints each; gives the names of those that failed and of those that could not say anything new. */
async function examine(checks: readonly Check[]): Promise<{ failed: string[]; skipped: string[] }> {
  const failed: string[] = [];
  const skipped: string[] = [];
  for (const { name, needs, run } of checks) {
    if (needs.some((need) => failed.includes(need) || skipped.includes(need))) {
      skipped.push(name);
      continue;
    }
    try {
      print(`ok    ${name}: ${await run()}`);
    } catch (error) {
      failed.push(name);
      print(`FAIL  ${name}: ${(error as Error).message}`);
    }
  }
  return { failed, skipped };
}

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check the installation and say what is wrong with it')
    .addHelpText('after', examples('postil doctor'))
    .action(async () => {
      const settings = readSettings();
      const { failed, skipped } = await examine(await checksOf(settings));
      if (skipped.length > 0) print(`      Not checked until that is fixed: ${skipped.join(', ')}`);
      if (!(await leadsToDataFolder(settings))) {
        const folder = path.resolve(settings.dataDirectory);
        print(`      The data folder ${folder} was not checked: POSTIL_URL leads to another installation`);
      }
      if (failed.length > 0)
        throw new CommandError(`${failed.length} ${failed.length === 1 ? 'check' : 'checks'} failed`);
    });
}

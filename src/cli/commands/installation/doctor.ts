import path from 'node:path';
import type { Command } from 'commander';
import { readSettings } from '../../../settings.ts';
import { CommandError } from '../../command-error.ts';
import { examples } from '../../command-examples.ts';
import { type Check, checksFor, pointsToDataFolder } from '../../installation-checks.ts';
import { print } from '../../output.ts';

/** Runs the checks and prints each result. Returns which failed, and which were skipped because another one failed. */
async function runChecks(checks: readonly Check[]): Promise<{ failed: string[]; skipped: string[] }> {
  const failed: string[] = [];
  const skipped: string[] = [];
  for (const { name, dependsOn, run } of checks) {
    if (dependsOn.some((other) => failed.includes(other) || skipped.includes(other))) {
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
    .description('check the installation and report what is wrong')
    .addHelpText('after', examples('postil doctor'))
    .action(async () => {
      const settings = readSettings();
      const { failed, skipped } = await runChecks(await checksFor(settings));
      if (skipped.length > 0) print(`      Not checked until that is fixed: ${skipped.join(', ')}`);
      if (!(await pointsToDataFolder(settings))) {
        const folder = path.resolve(settings.dataDirectory);
        print(`      The data folder ${folder} was not checked: POSTIL_URL points to another installation`);
      }
      if (failed.length > 0)
        throw new CommandError(`${failed.length} ${failed.length === 1 ? 'check' : 'checks'} failed`);
    });
}

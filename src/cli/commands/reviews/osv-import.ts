import type { Command } from 'commander';
import { type Advisory, readAdvisory } from '../../../reviewer/rules/dependencies/osv/advisory.ts';
import {
  BadArchive,
  listOsvFiles,
  readOsvTexts,
} from '../../../reviewer/rules/dependencies/osv/read-archives.ts';
import { readSettings } from '../../../settings.ts';
import { CommandError, usageExitCode } from '../../command-error.ts';
import { examples } from '../../command-examples.ts';
import { connectOperator, type OperatorClient } from '../../operator-client.ts';
import { print, startProgress } from '../../output.ts';

/** The size of a batch: small enough that neither side needs much memory. */
const maxBatch = 500;
const maxBatchLength = 8 * 1024 * 1024;

interface Imported {
  readonly stored: number;
  readonly withdrawn: number;
  readonly total: number;
}

export function addOsv(program: Command): void {
  program
    .command('osv')
    .description('advisories about vulnerable packages, for the rule dependencies/vulnerable')
    .command('import')
    .argument(
      '<files...>',
      'zip archives, JSON documents or folders, as OSV publishes them for each ecosystem',
    )
    .description(
      'import advisories: merge them by id, delete withdrawn ones, keep all others; safe to repeat',
    )
    .addHelpText(
      'after',
      examples('postil osv import npm/all.zip PyPI/all.zip', 'postil osv import advisories/'),
    )
    .action(async (places: string[]) => {
      const files = (await Promise.all(places.map(filesAt))).flat();
      const client = await connectOperator(readSettings());
      const progress = startProgress('Importing');
      const sum = await importFiles(client, files, (done, total) => progress.update(done, total)).finally(
        () => progress.end(),
      );
      print(`${sum.stored} new or changed, ${sum.withdrawn} withdrawn, ${sum.total} in total`);
    });
}

async function filesAt(place: string): Promise<string[]> {
  const files = await listOsvFiles(place).catch((error: Error) => {
    throw new CommandError(`${place} cannot be read: ${error.message}`, usageExitCode);
  });
  if (files.length === 0)
    throw new CommandError(`${place} holds neither JSON documents nor zip archives`, usageExitCode);
  return files;
}

async function importFiles(
  client: OperatorClient,
  files: readonly string[],
  onProgress: (done: number, total: number) => void,
): Promise<Imported> {
  const sum = { stored: 0, withdrawn: 0, total: 0 };
  let batch = { advisories: [] as Advisory[], withdrawn: [] as string[], length: 0 };
  const send = async () => {
    const { advisories, withdrawn } = batch;
    batch = { advisories: [], withdrawn: [], length: 0 };
    const json = { advisories, withdrawn };
    const said = (await client.send({
      method: 'POST',
      path: '/operator/v1/osv/advisories',
      json,
    })) as Imported;
    sum.stored += said.stored;
    sum.withdrawn += said.withdrawn;
    sum.total = said.total;
  };
  try {
    for (const [index, file] of files.entries()) {
      const tell = (done: number, total: number) =>
        onProgress(index * 1000 + Math.floor((done * 1000) / total), files.length * 1000);
      for await (const text of readOsvTexts(file, tell)) {
        const read = readAdvisory(text);
        if (read === undefined) continue;
        if ('withdrawn' in read) batch.withdrawn.push(read.withdrawn);
        else batch.advisories.push(read);
        batch.length += text.length;
        const isFull =
          batch.advisories.length + batch.withdrawn.length >= maxBatch || batch.length >= maxBatchLength;
        if (isFull) await send();
      }
      onProgress((index + 1) * 1000, files.length * 1000);
    }
    await send();
  } catch (error) {
    if (error instanceof BadArchive) throw new CommandError(error.message);
    throw error;
  }
  return sum;
}

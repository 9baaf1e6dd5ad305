import { pipeline, Transform } from 'node:stream';
import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import { CommandError } from '../command-error.ts';
import { examples } from '../command-examples.ts';
import { describeProblems, type EventProblem } from '../events/event-problems.ts';
import { openInput } from '../input-file.ts';
import { connectSender } from '../operator-client.ts';
import { type Progress, print, printNote, startProgress } from '../output.ts';
import { ConnectionLost } from '../server-response.ts';

interface Outcome {
  accepted: number;
  duplicate: number;
  failed: number;
  errors: EventProblem[];
  warnings?: EventProblem[];
}

function countBytes(progress: Progress, total: number): Transform {
  let done = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      done += chunk.length;
      progress.update(done, total);
      callback(null, chunk);
    },
  });
}

export function addEventsSend(events: Command): void {
  events
    .command('send')
    .argument('<file>', 'CloudEvents, one JSON object per line, or - for standard input')
    .description('send events; events seen before are skipped, so it is safe to send a file again')
    .addHelpText(
      'after',
      examples(
        'postil events send events.ndjson',
        'zcat events.ndjson.gz | postil events send -',
        'POSTIL_URL=https://postil.acme.test POSTIL_SOURCE_KEY=pss_... postil events send scan.ndjson',
      ),
    )
    .action(async (file: string) => {
      const { client, path } = await connectSender(readSettings());
      const { source, bytes } = await openInput(file);
      const progress = startProgress('Sending');
      // A read error also fails the request, and is reported there.
      const counted = pipeline(source, countBytes(progress, bytes), () => {});
      const stream = { type: 'application/x-ndjson', source: counted };
      const outcome = (await client
        .send({ method: 'POST', path, stream })
        .catch((error: unknown) => {
          if (!(error instanceof ConnectionLost)) throw error;
          throw new CommandError(
            `${error.message}; some events may have been stored. It is safe to send the file again: those are skipped`,
          );
        })
        .finally(() => progress.end())) as Outcome;
      print(`accepted ${outcome.accepted}, duplicate ${outcome.duplicate}, failed ${outcome.failed}`);
      for (const problems of [outcome.errors, outcome.warnings ?? []])
        for (const line of describeProblems(problems)) printNote(line);
      if (outcome.failed > 0)
        throw new CommandError(
          outcome.failed === 1 ? '1 event was not stored' : `${outcome.failed} events were not stored`,
        );
    });
}

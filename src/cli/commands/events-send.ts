import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Transform } from 'node:stream';
import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import { CommandError } from '../command-error.ts';
import { ConnectionLost, connectOperator } from '../operator-client.ts';
import { type Progress, print, remark, startProgress } from '../output.ts';

interface Remark {
  index: number;
  id: string | null;
  code: string;
  message: string;
}

interface Outcome {
  accepted: number;
  duplicate: number;
  failed: number;
  errors: Remark[];
  warnings?: Remark[];
}

const shownErrors = 20;

function counting(progress: Progress, total: number): Transform {
  let done = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      done += chunk.length;
      progress.update(done, total);
      callback(null, chunk);
    },
  });
}

async function openSource(file: string) {
  if (file === '-') return { source: process.stdin, bytes: 0 };
  const { size } = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${error.code})`);
  });
  return { source: createReadStream(file, { highWaterMark: 256 * 1024 }), bytes: size };
}

export function addEventsSend(events: Command): void {
  events
    .command('send')
    .argument('<file>', 'CloudEvents, one JSON object per line; - for standard input')
    .description('send events; those seen before are skipped, so it is safe to send a file again')
    .action(async (file: string) => {
      const client = await connectOperator(readSettings());
      const { source, bytes } = await openSource(file);
      const progress = startProgress('Sending');
      const stream = { type: 'application/x-ndjson', source: source.pipe(counting(progress, bytes)) };
      const outcome = (await client
        .send({ method: 'POST', path: '/operator/v1/events', stream })
        .catch((error: unknown) => {
          if (!(error instanceof ConnectionLost)) throw error;
          throw new CommandError(
            `${error.message}; some events may be stored. Sending the file again is safe: they are skipped`,
          );
        })
        .finally(() => progress.end())) as Outcome;
      print(`accepted ${outcome.accepted}, duplicate ${outcome.duplicate}, failed ${outcome.failed}`);
      for (const remarks of [outcome.errors, outcome.warnings ?? []]) {
        for (const { index, id, code, message } of remarks.slice(0, shownErrors)) {
          remark(`event ${index + 1}${id === null ? '' : ` (${id})`}: ${code}: ${message}`);
        }
      }
      if (outcome.failed > 0) throw new CommandError(`${outcome.failed} events were not stored`);
    });
}

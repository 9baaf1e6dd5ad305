import { Readable } from 'node:stream';
import { spec, type TestEvent } from 'node:test/reporters';
import { slowestFiles } from './slowest-files.ts';

/** Prints the output of node's own reporter and, before its last lines, why tests were skipped and which files were slowest. */
export default async function* report(source: AsyncIterable<TestEvent>) {
  yield* Readable.from(withOwnLines(source)).compose(new spec());
}

async function* withOwnLines(source: AsyncIterable<TestEvent>) {
  const skipped = new Map<string, number>();
  for await (const event of source) {
    if (event.type === 'test:pass' && typeof event.data.skip === 'string')
      skipped.set(event.data.skip, (skipped.get(event.data.skip) ?? 0) + 1);
    if (event.type === 'test:diagnostic' && /^tests \d+$/.test(event.data.message)) {
      const own = [
        ...[...skipped].map(([reason, count]) => `not run (${count}): ${reason}`),
        ...(await slowestFiles()).map((line) => `slow: ${line}`),
      ];
      for (const message of own) yield { ...event, data: { ...event.data, message } };
    }
    yield event;
  }
}

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from '../properties.ts';
import { type Place, placesIn, validRequest } from './mutations.ts';
import { collectSamples, type Sample } from './samples.ts';
import { HostileClient } from './send-hostile.ts';
import { watchWrites } from './watched-writes.ts';

/** With `POSTIL_FUZZ_MINUTES`, every hostile value is tried in every place, then random requests for this many minutes. */
const minutes = Number(process.env.POSTIL_FUZZ_MINUTES ?? 0);
/** The number of kinds of fault of which every place gets a value in a short run; of the other kinds it gets one in turn. */
const alwaysTried = 3;
const randomRequests = 300;

const { app, samples, description } = await collectSamples();
const client = new HostileClient(app, await watchWrites(app.database));
const operations = samples.map((sample) => ({ sample, places: placesIn(sample, description) }));
let turn = 0;

function mutationsOf({ faults }: Place, sample: Sample) {
  if (minutes > 0) return faults.flat();
  turn += 1;
  const others = faults.slice(alwaysTried);
  const chosen = sample.isShared
    ? [faults[turn % faults.length]!]
    : [...faults.slice(0, alwaysTried), others[turn % others.length]!];
  return chosen.map((values) => values[turn % values.length]!);
}

describe('a request with one hostile value never fails the server, and changes nothing if it is refused', () => {
  for (const { sample, places } of operations)
    test(sample.name, async () => {
      const valid = validRequest(sample);
      for (const place of places)
        for (const mutation of mutationsOf(place, sample))
          await client.send(sample, mutation(valid), place.name);
    });
});

test('nor does one with several of them', async () => {
  const spoilt = fc.constantFrom(...operations).chain(({ sample, places }) => {
    const mutations = places.flatMap(({ name, faults }) => faults.flat().map((mutate) => ({ name, mutate })));
    return fc.array(fc.constantFrom(...mutations), { minLength: 2, maxLength: 4 }).map((chosen) => ({
      sample,
      place: chosen.map(({ name }) => name).join(' and '),
      request: chosen.reduce((given, { mutate }) => mutate(given), validRequest(sample)),
      // Without it, the report would show the whole declaration of the endpoint.
      [fc.toStringMethod]: () => sample.name,
    }));
  });
  const property = fc.asyncProperty(spoilt, ({ sample, request, place }) =>
    client.send(sample, request, place),
  );
  await fc.assert(property, {
    ...(minutes === 0
      ? { numRuns: randomRequests }
      : { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: minutes * 60_000 }),
    endOnFailure: true,
  });
});

test('the requests reach every operation, are not all rejected, and their changes are noticed', (context) => {
  const { accepted, effective, refused, slowest } = client.sent;
  context.diagnostic(
    `${accepted} requests were accepted, ${effective} changed something, ${refused} refused`,
  );
  if (minutes > 0) for (const { ms, what } of slowest) context.diagnostic(`${Math.round(ms)} ms: ${what}`);
  assert.ok(accepted > samples.length && refused > accepted);
  assert.ok(effective > 0 && effective < accepted);
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../test/postgres.ts';
import fc from '../../test/properties.ts';
import { createRateLimiter, type RateLimit, type RateLimitDecision, type RateLimiter } from './rate-limit.ts';
import { type SpentRow, spendingStatement } from './statements/rate-limit-statement.ts';

const { database, drop } = await createTestDatabase();
after(drop);
const { sql } = database;
const limit: RateLimit = { bucket: 'test', perMinute: 10, per: 'tenant' };

// Simulates time by making the admitted requests older.
async function passSeconds(subject: string, seconds: number): Promise<void> {
  await sql`UPDATE rate_limit_windows SET moments = ARRAY(
    SELECT moment - make_interval(secs => ${seconds}) FROM unnest(moments) AS moment ORDER BY 1) WHERE bucket = ${`test/${subject}`}`;
}

/** When an admitted request was sent and answered, in seconds; it was counted in between. */
interface Admission {
  readonly sent: number;
  readonly answered: number;
}

/** A clock that adds simulated pauses to the real time that calls take, which is seconds on a busy machine. */
function simulatedTime(subject: string) {
  let paused = 0;
  const now = () => paused + performance.now() / 1000;
  return {
    now,
    async pass(seconds: number): Promise<void> {
      await passSeconds(subject, seconds);
      paused += seconds;
    },
    async admit(limiter: RateLimiter, some: RateLimit, calls: number): Promise<Admission[]> {
      const admissions: Admission[] = [];
      for (let call = 0; call < calls; call += 1) {
        const sent = now();
        if ((await limiter.admit(some, subject)).admitted) admissions.push({ sent, answered: now() });
      }
      return admissions;
    },
  };
}

test('of 200 parallel requests on two nodes exactly the limit is admitted', async () => {
  const nodes = [createRateLimiter(sql), createRateLimiter(sql)];
  const decisions = await Promise.all(
    Array.from({ length: 200 }, (_, index) => nodes[index % 2]!.admit(limit, 'parallel')),
  );
  assert.equal(decisions.filter(({ admitted }) => admitted).length, 10);
});

test('at most the limit is admitted in any 60 seconds, whatever the pauses', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ pause: fc.integer({ min: 0, max: 40 }), calls: fc.integer({ min: 1, max: 8 }) }), {
        minLength: 1,
        maxLength: 12,
      }),
      async (steps) => {
        run += 1;
        const subject = `property-${run}`;
        const time = simulatedTime(subject);
        const admitted: Admission[] = [];
        for (const { pause, calls } of steps) {
          await time.pass(pause);
          const start = time.now();
          const earlier = admitted.length;
          // A new limiter each time, because its cache of rejections uses real time, not the simulated time.
          admitted.push(...(await time.admit(createRateLimiter(sql), limit, calls)));
          const held = admitted.slice(0, earlier).filter(({ answered }) => answered > start - 60).length;
          assert.ok(admitted.length - earlier >= Math.min(calls, 10 - held), 'too few were admitted');
        }
        for (const { sent: from } of admitted) {
          const inSpan = admitted.filter(({ sent, answered }) => sent >= from && answered < from + 60).length;
          assert.ok(inSpan <= 10, `${inSpan} in one span`);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('the next request is admitted exactly when the oldest admitted one is 60 seconds old', async () => {
  const limiter = createRateLimiter(sql);
  for (let call = 0; call < 10; call += 1) assert.ok((await limiter.admit(limit, 'slide')).admitted);
  const refused = await limiter.admit(limit, 'slide');
  assert.ok(!refused.admitted && refused.retryAfterSeconds >= 1 && refused.retryAfterSeconds <= 60);
  await passSeconds('slide', 55);
  assert.equal((await createRateLimiter(sql).admit(limit, 'slide')).admitted, false);
  await passSeconds('slide', 5);
  assert.equal((await createRateLimiter(sql).admit(limit, 'slide')).admitted, true);
});

test('a high limit is never exceeded and its log stays short, whatever the pauses', async () => {
  const high: RateLimit = { ...limit, perMinute: 150 };
  const perStep = 35;
  const time = simulatedTime('high');
  const admitted: Admission[] = [];
  for (const pause of [0, 7, 0, 21, 13, 2, 18, 5, 40, 1, 59, 3, 30, 30]) {
    await time.pass(pause);
    const start = time.now();
    // Requests with a shared timestamp may expire up to a second later.
    const held = admitted.filter(({ answered }) => answered > start - 62).length;
    const here = await time.admit(createRateLimiter(sql), high, perStep);
    admitted.push(...here);
    assert.ok(here.length >= Math.min(perStep, 150 - held), `only ${here.length}`);
    const end = time.now();
    assert.ok(admitted.filter(({ sent }) => sent > end - 60).length <= 150);
  }
  const [log] = await sql<{ length: number }[]>`
    SELECT cardinality(moments) AS length FROM rate_limit_windows WHERE bucket = 'test/high'`;
  assert.ok(log!.length <= 61, `${log!.length} moments`);
});

test('with a high limit no request expires before it is 60 seconds old', async () => {
  const high: RateLimit = { ...limit, perMinute: 150 };
  const time = simulatedTime('early');
  // If a busy machine takes too long to measure within the minute, the test tries again.
  for (let isInTime = false; !isInTime; ) {
    await sql`DELETE FROM rate_limit_windows WHERE bucket = 'test/early'`;
    const startedAt = time.now();
    const admitted = await time.admit(createRateLimiter(sql), high, 150);
    // On a busy machine the calls themselves take seconds, so the first request is already that old.
    await time.pass(Math.max(0, 58 - (time.now() - startedAt)));
    const { admitted: isEarly } = await createRateLimiter(sql).admit(high, 'early');
    isInTime = time.now() - startedAt < 60;
    if (isInTime) assert.deepEqual([admitted.length, isEarly], [150, false]);
  }
  await time.pass(62);
  assert.equal((await createRateLimiter(sql).admit(high, 'early')).admitted, true);
});

test('of 400 parallel requests on two nodes exactly a high limit is admitted', async () => {
  const high: RateLimit = { ...limit, perMinute: 250 };
  const nodes = [createRateLimiter(sql), createRateLimiter(sql)];
  const decisions = await Promise.all(
    Array.from({ length: 400 }, (_, index) => nodes[index % 2]!.admit(high, 'parallel-high')),
  );
  assert.equal(decisions.filter(({ admitted }) => admitted).length, 250);
});

test('after the clock is set back, no request counts for longer than 60 seconds and none expires at once', async () => {
  for (const perMinute of [10, 150]) {
    const [some, subject] = [{ ...limit, perMinute }, `back-${perMinute}`];
    const first = createRateLimiter(sql);
    for (let call = 0; call < perMinute; call += 1) assert.ok((await first.admit(some, subject)).admitted);
    await passSeconds(subject, -3600);
    const refused = await createRateLimiter(sql).admit(some, subject);
    assert.ok(!refused.admitted && refused.retryAfterSeconds <= 61, String(refused.retryAfterSeconds));
    await passSeconds(subject, 62);
    const later = createRateLimiter(sql);
    for (let call = 0; call < perMinute; call += 1) assert.ok((await later.admit(some, subject)).admitted);
    assert.equal((await later.admit(some, subject)).admitted, false);
  }
});

test('requests that are charged together are decided as if they had arrived one after the other', async () => {
  const statement = spendingStatement('SELECT $1::text AS subject, $6::int AS asked', 2);
  const together = async (some: RateLimit, subject: string, count: number): Promise<RateLimitDecision[]> => {
    const { parameters, decide } = createRateLimiter(sql).charge(some, subject);
    const [row] = await sql.unsafe<[SpentRow]>(statement, [subject, ...parameters, count]);
    return Array.from({ length: count }, (_, place) => decide(row, place));
  };
  const summary = ({ admitted, remaining }: RateLimitDecision) => `${admitted ? 'yes' : 'no'} ${remaining}`;
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(1, 5, 10, 61, 150),
      // Pauses are 0 or 70 seconds, except for at most one of 30, so that no request is about to expire during a comparison.
      fc.nat({ max: 5 }),
      fc.array(fc.record({ pause: fc.constantFrom(0, 0, 70), count: fc.integer({ min: 1, max: 40 }) }), {
        minLength: 1,
        maxLength: 6,
      }),
      async (perMinute, half, steps) => {
        run += 1;
        const some = { ...limit, perMinute };
        const [one, many] = [`one-${run}`, `many-${run}`];
        for (const [index, { pause, count }] of steps.entries()) {
          for (const subject of [one, many]) await passSeconds(subject, index === half ? 30 : pause);
          const expected: RateLimitDecision[] = [];
          for (let call = 0; call < count; call += 1)
            expected.push(await createRateLimiter(sql).admit(some, one));
          assert.deepEqual((await together(some, many, count)).map(summary), expected.map(summary));
        }
      },
    ),
    { numRuns: 10 },
  );
});

test('a rejected request does not count', async () => {
  const limiter = createRateLimiter(sql);
  for (let call = 0; call < 30; call += 1) await limiter.admit(limit, 'refused');
  await passSeconds('refused', 60);
  assert.equal((await createRateLimiter(sql).admit(limit, 'refused')).remaining, 9);
});

test('a subject that is reset can make all its requests again, even right after a rejection; others are not affected', async () => {
  const attempts = { bucket: 'test', max: 2, withinSeconds: 900 };
  const limiter = createRateLimiter(sql);
  const admitted = async (subject: string) => (await limiter.attempt(attempts, subject)).admitted;
  for (const subject of ['forgotten', 'kept'])
    assert.deepEqual(
      [await admitted(subject), await admitted(subject), await admitted(subject)],
      [true, true, false],
    );
  await limiter.forget(attempts, 'forgotten');
  assert.deepEqual(
    [await admitted('forgotten'), await admitted('forgotten'), await admitted('forgotten')],
    [true, true, false],
  );
  assert.equal(await admitted('kept'), false);
});

test('logs that no limit needs anymore are deleted, others stay', async () => {
  const limiter = createRateLimiter(sql);
  await limiter.admit(limit, 'old');
  await limiter.admit(limit, 'young');
  await passSeconds('old', 3700);
  await limiter.sweep.run(new AbortController().signal);
  const rows = await sql`SELECT bucket FROM rate_limit_windows WHERE bucket IN ('test/old', 'test/young')`;
  assert.deepEqual(
    rows.map(({ bucket }) => bucket),
    ['test/young'],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostState } from '../../db/driver/serving-host.ts';
import { notResponding } from '../../db/driver/unavailable.ts';
import { describePrimary, describeStandbys } from './host-health.ts';

const state = (name: string, timeline: number | undefined, mib: number, server = name): HostState => ({
  host: { host: name, port: 5432 },
  answer: {
    isStandby: timeline === undefined,
    timeline: timeline ?? 0,
    cluster: 'one',
    server,
    position: BigInt(mib) * 1024n ** 2n,
  },
});
const silent: HostState = { host: { host: 'c', port: 5432 }, error: notResponding() };
const [primary, standby] = [state('a', 3, 100), state('b', undefined, 98)];

test('doctor reports which host is the primary, and the lag of the standbys', () => {
  assert.equal(describePrimary([standby, primary]), 'a:5432 is a primary (timeline 3)');
  assert.equal(describeStandbys([standby, primary]), 'b:5432 (2.0 MiB behind)');
  assert.equal(describeStandbys([primary]), 'none');
  // For example, two proxies of one server.
  assert.equal(
    describePrimary([state('a', 3, 1, 'same'), state('b', 3, 1, 'same')]),
    'a:5432 is a primary (timeline 3), b:5432 is a primary (timeline 3)',
  );
});

test('doctor fails where no host is the primary, more than one is, or one does not answer', () => {
  assert.throws(
    () => describePrimary([standby, silent]),
    /^Error: no host is the primary: b:5432 is a standby, c:5432 does not answer$/,
  );
  assert.throws(
    () => describePrimary([primary, state('b', 2, 90)]),
    /^Error: 2 servers say that they are the primary.*: a:5432 is a primary \(timeline 3\), b:5432 is a primary \(timeline 2\)\. Stop/,
  );
  assert.throws(() => describeStandbys([primary, silent]), /^Error: c:5432 does not answer$/);
});

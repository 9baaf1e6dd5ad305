import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { sharePlaces } from './share-places.ts';

const places = 256;
const due = (organization: string, count: number) =>
  Array.from({ length: count }, () => ({ organizationId: organization as OrganizationId }));

/** Organizations whose receivers never answer, one after the other, each with more to send than there are places. */
function occupy(organizations: readonly string[]): Map<OrganizationId, number> {
  const taken = new Map<OrganizationId, number>();
  for (const organization of organizations) {
    const free = places - [...taken.values()].reduce((sum, count) => sum + count, 0);
    taken.set(organization as OrganizationId, sharePlaces(due(organization, 1000), free, taken).length);
  }
  return taken;
}

test('an organization whose receivers never answer leaves most places to the others', () => {
  assert.deepEqual([...occupy(['slow']).values()], [86]);
});

test('however many organizations take all they can get, the next one finds a place', () => {
  for (let count = 1; count <= 8; count += 1) {
    const taken = occupy(Array.from({ length: count }, (_, index) => `slow-${index}`));
    const free = places - [...taken.values()].reduce((sum, one) => sum + one, 0);
    assert.ok(sharePlaces(due('next', 100), free, taken).length > 0, `${count}`);
  }
});

test('whoever has no place yet gets one while there are any, and nobody more than there are', () => {
  const organizations = fc.constantFrom('a', 'b', 'c', 'd');
  const given = fc.record({
    queue: fc.array(organizations, { maxLength: 40 }),
    free: fc.nat(20),
    taken: fc.dictionary(organizations, fc.integer({ min: 1, max: 20 })),
  });
  fc.assert(
    fc.property(given, ({ queue, free, taken }) => {
      const deliveries = queue.map((one) => due(one, 1)[0]!);
      const placed = sharePlaces(deliveries, free, new Map(Object.entries(taken)) as never);
      assert.ok(placed.length <= free);
      // In the given order, and none twice.
      assert.deepEqual(
        placed,
        deliveries.filter((one) => placed.includes(one)),
      );
      const left = queue.filter((one) => !placed.some(({ organizationId }) => organizationId === one));
      if (placed.length < free) for (const one of left) assert.ok(one in taken);
    }),
  );
});

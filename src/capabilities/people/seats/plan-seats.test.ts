import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import type { OrganizationId, PersonId } from '../../../lib/ids.ts';
import { planAssignment, planUnassignment, type SeatAccount, seatHolder } from './plan-seats.ts';

const account: fc.Arbitrary<SeatAccount> = fc.record({
  organizationId: fc.constantFrom('org-a', 'org-b').map((id) => id as OrganizationId),
  userId: fc.constantFrom('1', '2', '3', '4', '5'),
  personId: fc.constantFrom(null, 'p1', 'p2', 'p3').map((id) => id as PersonId | null),
  username: fc.constant('somebody'),
  seat: fc.boolean(),
});

const requests = fc
  .uniqueArray(account, { selector: ({ organizationId, userId }) => `${organizationId}/${userId}` })
  .map((accounts) => accounts.map((one, index) => ({ identifier: String(index), accounts: [one] })));

const without = (all: ReadonlySet<string>, excluded: ReadonlySet<string>) =>
  [...all].filter((holder) => !excluded.has(holder));
const holdersOf = (accounts: readonly SeatAccount[]) => new Set(accounts.map(seatHolder));

test('there are never more new holders than there were free seats', () => {
  fc.assert(
    fc.property(requests, fc.integer({ min: -2, max: 6 }), (given, free) => {
      const seated = holdersOf(given.flatMap(({ accounts }) => accounts.filter(({ seat }) => seat)));
      const { changed } = planAssignment(given, { free, holders: seated });
      const added = without(holdersOf(changed), seated);
      assert.ok(added.length <= Math.max(0, free), `${added.length} new holders for ${free} free seats`);
    }),
  );
});

test('a request is refused only when no seat is left for a new holder, and then changes nothing', () => {
  fc.assert(
    fc.property(requests, fc.integer({ min: 0, max: 6 }), (given, free) => {
      const holders = holdersOf(given.flatMap(({ accounts }) => accounts.filter(({ seat }) => seat)));
      const { outcomes, changed } = planAssignment(given, { free, holders });
      const granted = without(holdersOf(changed), holders).length;
      for (const { identifier, accounts } of given) {
        if (outcomes.get(identifier) === null) continue;
        assert.equal(outcomes.get(identifier), 'NO_SEATS_AVAILABLE');
        assert.equal(granted, free);
        assert.ok(!changed.includes(accounts[0]!) && !holders.has(seatHolder(accounts[0]!)));
      }
    }),
  );
});

test('unassigning changes exactly the accounts that have a seat', () => {
  fc.assert(
    fc.property(requests, (given) => {
      const { changed, outcomes } = planUnassignment(given);
      assert.ok([...outcomes.values()].every((code) => code === null));
      assert.deepEqual(
        changed,
        given.flatMap(({ accounts }) => accounts.filter(({ seat }) => seat)),
      );
    }),
  );
});

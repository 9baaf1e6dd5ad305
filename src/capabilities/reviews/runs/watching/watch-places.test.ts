import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Place, WatchPlaces } from './watch-places.ts';

const names = (text: string) => text.split(' ').filter((name) => name !== '');

/**
 * Takes places for these watchers, each named by organization and person such as `a1`; returns those that still have one at
 * the end.
 */
function taken(places: WatchPlaces, text: string): (Place & { name: string })[] {
  return names(text)
    .flatMap((name) => {
      const place = places.take({ organizationId: name[0]!, personId: name });
      return place === undefined ? [] : [Object.assign(place, { name })];
    })
    .filter(({ signal }) => !signal.aborted);
}

function inTheEnd(max: number, text: string): string {
  const places = new WatchPlaces(max);
  const all = taken(places, text);
  return all
    .filter(({ signal }) => !signal.aborted)
    .map(({ name }) => name)
    .sort()
    .join(' ');
}

test('one person has at most ten, even if all others are free', () => {
  assert.equal(inTheEnd(200, 'a1 '.repeat(30)), 'a1 '.repeat(10).trim());
});

test('an organization may take what nobody else needs', () => {
  assert.equal(inTheEnd(4, 'a1 a2 a3 a4 a5'), 'a1 a2 a3 a4');
});

test('once all are taken, the organization with most gives way, in it the person with most', () => {
  assert.equal(inTheEnd(6, 'a1 a2 a2 a2 a3 b1 b2'), 'a1 a2 a2 a3 b1 b2');
  assert.equal(inTheEnd(6, 'a1 a2 a3 a4 a5 a6 b1 b2 b3 b4'), 'a1 a2 a3 b1 b2 b3');
});

test('in one organization the person with most gives way to one with less', () => {
  assert.equal(inTheEnd(4, 'a1 a1 a1 a1 a2 a3'), 'a1 a1 a2 a3');
});

test('nobody gives way to one who would then have more: a place does not change hands again and again', () => {
  assert.equal(inTheEnd(4, 'a1 a2 b1 b2 b3 a3'), 'a1 a2 b1 b2');
  assert.equal(inTheEnd(3, 'a1 a1 a2 a2'), 'a1 a1 a2');
});

test('a place that was left is free', () => {
  const places = new WatchPlaces(2);
  const [first] = taken(places, 'a1 a2');
  assert.equal(places.hasRoomFor({ organizationId: 'a', personId: 'a3' }), false);
  first!.leave();
  assert.equal(taken(places, 'a3').length, 1);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contestedTemplates, templateFinder } from './path-templates.ts';

const templates = [
  '/v1/roles',
  '/v1/roles/{id}',
  '/v1/roles/default',
  '/v1/{kind}/default',
  '/v1/roles/{id}/members',
  '/v1/roles/{name}/members',
];

test('a path belongs to the template with the first fixed word, as in the router', () => {
  const templatesAt = templateFinder(templates);
  assert.deepEqual(templatesAt('/v1/roles'), ['/v1/roles']);
  assert.deepEqual(templatesAt('/v1/roles/default'), ['/v1/roles/default']);
  assert.deepEqual(templatesAt('/v1/roles/7'), ['/v1/roles/{id}']);
  assert.deepEqual(templatesAt('/v1/teams/default'), ['/v1/{kind}/default']);
  assert.deepEqual(templatesAt('/v1/roles/7/members'), [
    '/v1/roles/{id}/members',
    '/v1/roles/{name}/members',
  ]);
  assert.deepEqual(templatesAt('/v1/roles/7/8/9'), []);
});

test('a template is contested if another one takes precedence on some of its paths, whatever their order', () => {
  const expected = ['/v1/roles/{id}', '/v1/{kind}/default'];
  assert.deepEqual([...contestedTemplates(templates)], expected);
  assert.deepEqual([...contestedTemplates(templates.toReversed())].sort(), expected);
  assert.deepEqual([...contestedTemplates(['/a/{b}', '/c/{d}', '/a/{b}/c', '/a/{e}'])], []);
});

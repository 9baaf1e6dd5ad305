import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';

const root = path.dirname(import.meta.dirname);

/** Tables whose tenant is identified by another column; every statement filters by it. */
const otherOwners: Readonly<Record<string, string>> = {
  audit_entries: 'chain_id',
  connection_organizations: 'connection_id',
  connection_repositories: 'connection_id',
  event_source_organizations: 'event_source_id',
};

/** Statements that need not name an organization: a part of the text, and the reason. */
const exceptions: readonly (readonly [string, string])[] = [
  ['UPDATE api_keys k SET last_used_at', 'the last use of keys, noted by the id of the key that was used'],
  ['FROM api_keys k JOIN workspaces w', 'the token of a workspace, by the unique hash of its value'],
  ['UPDATE api_keys SET revoked_at', 'the key was read, and its holder checked, in the same transaction'],
  [
    'FROM learnings WHERE embedder_id IS NULL)',
    'how many Learnings of the installation wait, for its operator',
  ],
  [
    "FROM learnings WHERE approval = 'pending'",
    'how many Learnings of the installation wait, for its operator',
  ],
  [
    'DELETE FROM former_signing_secrets WHERE valid_until <=',
    'the schedule that forgets what has had its time',
  ],
  [
    'AS seq, NULL::text AS states,',
    'an inner scan, from which the outer statement takes the rows of the organizations',
  ],
  [
    'EXISTS (SELECT 1 FROM connection_organizations WHERE organization_id = ANY(',
    'whether any connection feeds the organizations of the caller, which it names',
  ],
  [
    'FROM connection_repositories s WHERE s.organization_id =',
    'whether any connection serves a repository of the organization, which it names',
  ],
  [
    "WHERE state = 'claimed' AND changed_at <",
    'the schedule that takes back what dead nodes had begun, of all organizations',
  ],
  ["WHERE state = 'sending' AND changed_at <", 'the same for what may have arrived'],
  [
    "WHERE status = 'waiting' RETURNING 1",
    'what waits in a restored database is held back, of all organizations',
  ],
  ["WHERE state IN ('waiting', 'claimed', 'sending') RETURNING 1", 'the same for digests'],
  ['AS channel, state, count(*)::int', 'what became of digests of the installation, for its operator'],
  ['AS failing FROM webhooks', 'how many webhooks of the installation fail, for its operator'],
  ['INSERT INTO review_metrics (', 'the columns are a list, the organization among them'],
];

async function tenantTables(): Promise<Set<string>> {
  const schema = await readFile(path.join(root, 'src/db/schema/schema.sql'), 'utf8');
  const tables = [...schema.matchAll(/create table (\w+) \(([\s\S]*?)\n\)/gi)];
  return new Set(
    tables.filter(([, , columns]) => /\borganization_id\b/.test(columns!)).map(([, name]) => name!),
  );
}

async function sourceTexts(): Promise<[string, string][]> {
  const entries = await readdir(path.join(root, 'src'), { recursive: true, withFileTypes: true });
  const files = entries.filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return Promise.all(
    files.map(async ({ parentPath, name }): Promise<[string, string]> => {
      const file = path.join(parentPath, name);
      return [path.relative(root, file), await readFile(file, 'utf8')];
    }),
  );
}

const templates = /`((?:[^`\\]|\\.|\$\{(?:[^{}]|\{[^{}]*\})*\})*)`/g;

test('every statement on a tenant table names the organization', async () => {
  const tables = await tenantTables();
  assert.ok(tables.size > 15, 'the schema was read');
  let statements = 0;
  for (const [file, text] of await sourceTexts()) {
    for (const [, statement] of text.matchAll(templates)) {
      const named = [...statement!.matchAll(/\b(?:FROM|JOIN|UPDATE|INTO|USING)\s+(\w+)/gi)]
        .map(([, table]) => table!)
        .filter((table) => tables.has(table));
      if (named.length === 0) continue;
      statements += 1;
      const isExcepted = exceptions.some(([part]) => statement!.replaceAll(/\s+/g, ' ').includes(part));
      const isOwned = named.every((table) => statement!.includes(otherOwners[table] ?? 'organization_id'));
      assert.ok(
        isOwned || isExcepted,
        `${file} reads or writes ${named.join(', ')} of any organization:${statement}`,
      );
    }
  }
  assert.ok(statements > 100, 'the statements were found');
});

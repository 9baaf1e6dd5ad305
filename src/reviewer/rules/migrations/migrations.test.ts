import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sidesOf } from '../../../../test/compared-change.ts';
import fc from '../../../../test/properties.ts';
import { defaultConfiguration } from '../../configuration/review-configuration.ts';
import { migrationExamples } from './migration-table.ts';
import { migrations } from './migrations.ts';
import { splitStatements } from './split-statements.ts';

const { signal } = new AbortController();

async function compared(added: Record<string, string>, around: Record<string, string> = {}) {
  const versions = Object.fromEntries(
    Object.entries(added).map(([path, text]) => [path, [null, text] as const]),
  );
  return migrations.compare(sidesOf(versions, around), defaultConfiguration.reviews, signal);
}

/** The findings about migrations that a change adds, as `path:line rule`. */
async function saidOf(added: Record<string, string>, around?: Record<string, string>): Promise<string[]> {
  const { findings, notes } = await compared(added, around);
  return [
    ...findings.map(
      ({ path, startLine, rule }) => `${path}:${startLine} ${rule.slice('migrations/'.length)}`,
    ),
    ...notes,
  ];
}

const said = async (sql: string, path = 'migrations/2.sql') =>
  (await saidOf({ [path]: sql })).map((each) => each.replace(`${path}:`, ''));

test('every rule finds its own fault in its failing example, and nothing in its passing one', async () => {
  for (const [rule, { path, fails, passes }] of Object.entries(migrationExamples)) {
    assert.deepEqual(await saidOf({ [path]: fails }), [`${path}:1 ${rule}`]);
    assert.deepEqual(await saidOf({ [path]: passes }), [], rule);
  }
});

test('migrations in tests and vendored ones are ignored', async () => {
  const sql = 'DROP TABLE a;';
  assert.deepEqual(await saidOf({ 'db/migrations/1.sql': sql }), ['db/migrations/1.sql:1 drop-table']);
  for (const path of [
    'a/testdata/migrations/1.sql',
    'vendor/b/migrations/1.sql',
    'fixtures/migrations/1.sql',
  ])
    assert.deepEqual(await saidOf({ [path]: sql }), [], path);
});

test('objects that the same change creates are not in use yet', async () => {
  assert.deepEqual(
    await said('CREATE TABLE a (b int);\nCREATE INDEX c ON a (b);\nALTER TABLE A DROP COLUMN b;'),
    [],
  );
  assert.deepEqual(await said('CREATE INDEX c ON a (b);\nCREATE TABLE a (b int);'), ['1 create-index']);
  const two = {
    'migrations/1.sql': 'CREATE TABLE IF NOT EXISTS a (b int);',
    'migrations/2.sql': 'CREATE INDEX c ON a (b);',
  };
  assert.deepEqual(await saidOf(two), []);
  assert.deepEqual(await said('ALTER TABLE a ADD COLUMN b int;\nALTER TABLE a DROP COLUMN b;'), []);
  assert.deepEqual(
    await said('ALTER TABLE a ADD COLUMN b int;\nALTER TABLE a ADD FOREIGN KEY (b) REFERENCES c;'),
    [],
  );
});

test('statements in DO blocks are parsed, objects that they create are new, and dynamic ones are ignored', async () => {
  const sql = [
    'DO $$',
    'BEGIN',
    "  IF NOT EXISTS (SELECT 1 FROM pg_tables WHERE tablename = 'a') THEN",
    '    CREATE TABLE a (b int); -- the first',
    '  ELSE',
    '    -- once more',
    '    ALTER TABLE x DROP COLUMN y;',
    '  END IF;',
    "  EXECUTE 'CREATE TABLE c (d text DEFAULT ''e'')';",
    "  EXECUTE format('CREATE INDEX ON %I (b)', 'x');",
    '  FOR t IN SELECT 1 LOOP DROP TABLE z; END LOOP;',
    'EXCEPTION WHEN duplicate_object THEN null;',
    'END $$;',
    'CREATE INDEX f ON a (b);',
    'CREATE INDEX g ON c (d);',
    'CREATE INDEX h ON x (y);',
  ];
  assert.deepEqual(await said(sql.join('\n')), ['7 drop-column', '11 drop-table', '16 create-index']);
  assert.deepEqual(
    await said('DO LANGUAGE plpgsql $a$BEGIN CREATE TABLE a (b int); END$a$;\nCREATE INDEX c ON a (b);'),
    [],
  );
  assert.deepEqual(await said('DO $$BEGIN ALTER TABLE name || x DROP y; END$$;'), []);
  assert.deepEqual(await said('-- postil-ignore\nDO $$BEGIN DROP TABLE a; END$$;'), []);
});

test('a table that a query creates is new, and an emptied one can get a required column', async () => {
  assert.deepEqual(await said('SELECT a, b INTO c FROM d;\nCREATE INDEX e ON c (a);\nDROP TABLE c;'), []);
  const column = 'ALTER TABLE a ADD COLUMN b int NOT NULL;';
  assert.deepEqual(await said(`DELETE FROM a;\n${column}`), []);
  assert.deepEqual(await said(`DELETE FROM a WHERE c;\n${column}`), ['2 not-null-column']);
  assert.deepEqual(await said(`DELETE FROM {{ a }};\n${column}`), ['2 not-null-column']);
});

test('an old name that the same change gives to something else is not lost', async () => {
  const renamed = 'ALTER TABLE a RENAME COLUMN b TO c;\n';
  assert.deepEqual(await said(renamed), ['1 rename-column']);
  assert.deepEqual(await said(`${renamed}ALTER TABLE a ADD COLUMN b int;`), []);
  assert.deepEqual(await said(`${renamed}ALTER TABLE d ADD COLUMN b int;`), ['1 rename-column']);
  assert.deepEqual(await said('ALTER TABLE a RENAME TO z;\nCREATE TABLE a (b int);'), []);
});

test('each part of a statement is reported on its own line, even if it names nothing', async () => {
  const sql = [
    'ALTER TABLE orders',
    "  ALTER COLUMN state SET DEFAULT 'a, b',",
    '  ALTER COLUMN state SET NOT NULL,',
    '  DROP CONSTRAINT orders_pkey, -- (the old one,',
    '  ADD PRIMARY KEY (a, b);',
  ];
  assert.deepEqual(await said(sql.join('\n')), ['3 set-not-null', '5 add-unique']);
});

test('names are parsed as PostgreSQL does: quoted ones keep their case, also in messages', async () => {
  assert.deepEqual(await said('CREATE TABLE "Team" (b int);\nCREATE INDEX c ON team (b);'), [
    '2 create-index',
  ]);
  const { findings } = await compared({ 'migrations/1.sql': 'CREATE INDEX c ON "Team" (b);' });
  assert.match(findings[0]!.body, /While this runs, `Team`/);
});

test('in an old migration, only statements that the change adds are reported', async () => {
  const old = 'DROP TABLE a;\n\n\n';
  const sides = sidesOf({ 'migrations/1.sql': [old, `${old}DROP TABLE b;\n`] });
  const { findings } = await migrations.compare(sides, defaultConfiguration.reviews, signal);
  assert.deepEqual(
    findings.map(({ startLine, body }) => [startLine, body.split('. ')[0]]),
    [[4, 'The table is `b`']],
  );
});

test('each part of a statement is found on its own line, after comments and strings with semicolons', async () => {
  const sql = [
    '-- first; drop table x;',
    "INSERT INTO a VALUES (';drop table b;', $$;$$); /* ; */",
    'ALTER TABLE "Order"',
    '  ADD COLUMN total int,',
    '  DROP COLUMN "Note",',
    '  ALTER COLUMN b TYPE int;',
  ];
  assert.deepEqual(await said(sql.join('\n')), ['5 drop-column', '6 retype-column']);
});

test('down migrations, other databases, templates, tests and silenced statements are not reported', async () => {
  const drop = 'DROP TABLE a;';
  for (const path of [
    'migrations/2.down.sql',
    'migrations/2/down.sql',
    'db/mysql/migrations/2.sql',
    'src/a.sql',
    'tests/migrations/2.sql',
    'db/U2__a.sql',
  ])
    assert.deepEqual(await saidOf({ [path]: drop }), [], path);
  assert.deepEqual(await said(drop, 'db/V2__a.sql'), ['1 drop-table']);
  assert.deepEqual(await said('-- +goose Up\nSELECT 1;\n-- +goose Down\nDROP TABLE a;'), []);
  assert.deepEqual(await said('ALTER TABLE `a` DROP COLUMN b;'), []);
  assert.deepEqual(await said('-- postil-ignore: nobody reads it\nDROP TABLE a;\nDROP TABLE b;'), [
    '3 drop-table',
  ]);
  assert.deepEqual(await said('ALTER TABLE {{ table }} DROP COLUMN b;'), [
    'Not checked as a PostgreSQL migration: migrations/2.sql, because line 1 could not be parsed',
  ]);
});

test('the manifests around a migration say which database it is for', async () => {
  const file = { 'api/migrations/2.sql': 'DROP TABLE a;' };
  const found = ['api/migrations/2.sql:1 drop-table'];
  assert.deepEqual(await saidOf(file, { 'api/package.json': '{"dependencies":{"pg":"8"}}' }), found);
  assert.deepEqual(await saidOf(file, { 'package.json': '{"dependencies":{"mysql2":"3"}}' }), []);
  assert.deepEqual(await saidOf(file, { 'web/package.json': '{"dependencies":{"mysql2":"3"}}' }), found);
  assert.deepEqual(await saidOf(file, { 'api/migrations/migration_lock.toml': 'provider = "sqlite"' }), []);
});

test('only a validated check of the same table and column proves that it is not null', async () => {
  const required = 'ALTER TABLE a ALTER COLUMN b SET NOT NULL;';
  const check = 'ALTER TABLE a ADD CONSTRAINT c CHECK (b IS NOT NULL)';
  const validated = 'ALTER TABLE a VALIDATE CONSTRAINT c;';
  const after = async (earlier: string) =>
    (await saidOf({ 'migrations/3.sql': required }, { 'migrations/2.sql': earlier })).length === 0;
  assert.equal(await after(`${check};`), true);
  assert.equal(await after(`${check} NOT VALID;\n${validated}`), true);
  assert.equal(await after('CREATE TABLE a (b int CHECK (b IS NOT NULL AND b > 0));'), true);
  assert.equal(await after(`${check} NOT VALID;`), false);
  assert.equal(await after(`-- ${check};`), false);
  assert.equal(await after(`${check};\nALTER TABLE a DROP CONSTRAINT c;`), false);
  assert.equal(await after('ALTER TABLE z ADD CHECK (b IS NOT NULL);'), false);
  assert.equal(await after('ALTER TABLE x.a ADD CHECK (b IS NOT NULL);'), false);
  assert.deepEqual(await said(`-- check (b is not null)\n${required}`), ['2 set-not-null']);
  assert.deepEqual(await said(`${check} NOT VALID;\n${required}`), ['2 set-not-null']);
  assert.deepEqual(await said(`${check} NOT VALID;\n${validated}\n${required}`), []);
});

test('an existing table, or one in another schema, is not new', async () => {
  const earlier = { 'migrations/1.sql': 'CREATE TABLE orders (b int);' };
  const made = 'CREATE TABLE IF NOT EXISTS orders (b int);\nDROP TABLE orders;';
  assert.deepEqual(await saidOf({ 'migrations/2.sql': made }, earlier), ['migrations/2.sql:2 drop-table']);
  assert.deepEqual(await saidOf({ 'migrations/2.sql': made }), []);
  assert.deepEqual(await saidOf({ 'other/migrations/2.sql': made }, earlier), []);
  const again = `DROP TABLE orders;\n${made}`;
  assert.deepEqual(await saidOf({ 'migrations/2.sql': again }, earlier), ['migrations/2.sql:1 drop-table']);
  const archived = 'CREATE TABLE archive.customers (b int);\n';
  assert.deepEqual(await said(`${archived}DROP TABLE public.customers;`), ['2 drop-table']);
  assert.deepEqual(await said(`${archived}DROP TABLE customers, archive.customers;`), ['2 drop-table']);
  assert.deepEqual(await said('CREATE TABLE a (b int);\nCREATE INDEX c ON public.a (b);'), []);
  assert.deepEqual(await said(`SET search_path TO archive, public;\n${archived}DROP TABLE customers;`), []);
});

test('a text type that becomes shorter, or was another type, is reported', async () => {
  const earlier = { 'migrations/1.sql': 'CREATE TABLE a (short varchar(5), long text, number bigint);' };
  const to = async (column: string, type: string) =>
    (await saidOf({ 'migrations/2.sql': `ALTER TABLE a ALTER COLUMN ${column} TYPE ${type};` }, earlier))
      .length > 0;
  assert.equal(await to('short', 'varchar(10)'), false);
  assert.equal(await to('short', 'text'), false);
  assert.equal(await to('unknown', 'text'), false);
  assert.equal(await to('short', 'varchar(4)'), true);
  assert.equal(await to('long', 'varchar(10)'), true);
  assert.equal(await to('unknown', 'varchar(10)'), true);
  assert.equal(await to('number', 'text'), true);
  assert.equal(await to('number', 'varchar'), true);
});

test('a migration that is too large is noted', async () => {
  const sql = `DROP TABLE a;\n-- ${'x'.repeat(1_000_000)}`;
  assert.deepEqual(await said(sql), [
    'Not checked as a PostgreSQL migration: migrations/2.sql, because it is larger than 1 MB',
  ]);
});

test('literal SQL in programs of Django, Knex, Alembic and node-pg-migrate is parsed', async () => {
  const files = {
    'app/migrations/0002_a.py':
      'ops = [\n  migrations.RunSQL(\n    "DROP TABLE a;",\n    reverse_sql="x",\n  )]\n',
    'alembic/versions/2.py':
      'def upgrade():\n    op.execute("""\n      DROP TABLE b""")\ndef downgrade():\n    op.execute("DROP TABLE c")\n',
    'migrations/2.js':
      "exports.up = (knex) => knex.raw('ALTER TABLE d DROP COLUMN e');\nexports.down = (knex) => knex.raw('DROP TABLE f');\n",
    'migrations/4.ts':
      "await knex.raw('ALTER TABLE ?? DROP COLUMN b', [name]);\nawait knex.raw('ALTER TABLE g DROP COLUMN h');\n",
    'migrations/3.ts': `export const up = (pgm) => pgm.sql(\`DROP TABLE \${'{x}'}\`);\n`,
  };
  assert.deepEqual(await saidOf(files), [
    'alembic/versions/2.py:3 drop-table',
    'app/migrations/0002_a.py:3 drop-table',
    'migrations/2.js:1 drop-column',
    'migrations/4.ts:2 drop-column',
  ]);
});

test('any text is split at its semicolons, and all of it is in some statement', () => {
  const piece = fc.constantFrom(
    "'a;b'",
    '"c;d"',
    '$x$;$x$',
    '-- e;\n',
    '/* ; */',
    ' ',
    '\n',
    'f',
    ';',
    "'",
    '$$',
    '\\',
    '/*',
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      for (const { text: own, line, endLine } of splitStatements(text)) {
        assert.ok(own !== '' && text.includes(own) && line >= 1 && line <= endLine);
        assert.equal(
          text
            .split('\n')
            .slice(line - 1, endLine)
            .join('\n')
            .includes(own),
          true,
        );
      }
    }),
  );
});

test('padded, deeply nested and endless migrations terminate', async () => {
  const deep = `CREATE INDEX a ON b (${'('.repeat(20_000)}c${')'.repeat(20_000)});`;
  for (const sql of [
    deep,
    `${"INSERT INTO a VALUES ('x');\n".repeat(30_000)}`,
    `DROP TABLE ${'a,'.repeat(40_000)}b;`,
    "'".repeat(99_999),
  ])
    await said(sql);
});

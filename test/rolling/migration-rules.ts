import { type Migration, oldestNodeAfter } from '../../src/db/schema/migrations.ts';

/** Tables that never have many rows, so that any change needs a lock only for a moment. */
const smallTables = new Set([
  'app_flows',
  'connection_organizations',
  'connection_write_budgets',
  'connections',
  'dashboard_invitations', // each is deleted after a day
  'event_sources',
  'instances',
  'mcp_servers',
  'metrics_storage',
  'organizations',
  'review_settings',
  'roles',
  'secrets',
  'taken_work', // only work in progress
  'teams',
  'webhooks',
  'workspace_admins',
  'workspaces',
  'write_clock',
]);

/** Splits a migration into statements, without comments and function bodies, with single spaces. */
function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/\$\$.*?\$\$/gs, "''")
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .split(';')
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}

interface Rule {
  readonly pattern: RegExp;
  readonly fault: string;
}

/** Statements that read or write a whole table while other writers are blocked. */
const underLock: readonly Rule[] = [
  {
    pattern: /^create (unique )?index/i,
    fault: 'builds an index under a lock: list it in background-indexes.ts',
  },
  {
    pattern:
      /\badd (column )?(if not exists )?(?!constraint\b)\w+ [^,]*\bnot null\b(?![^,]*\bdefault\b)(?<!\bdefault\b[^,]*)/i,
    fault: 'adds a column that rows lack: give it a default',
  },
  {
    pattern: /\bdefault [^,]*\b(gen_random_uuid|random|clock_timestamp|nextval|uuidv7)\(/i,
    fault: 'rewrites the table, because each row has another default',
  },
  { pattern: /\balter (column )?\w+ (set data )?type\b/i, fault: 'rewrites the table' },
  {
    pattern: /\balter (column )?\w+ set not null\b/i,
    fault: 'reads the table: add a CHECK that is NOT VALID, and validate it in a later migration',
  },
  {
    pattern: /\badd (constraint \w+ )?(primary key|unique)\b(?! using index)/i,
    fault: 'builds an index under a lock',
  },
  {
    pattern: /\badd (constraint \w+ )?(check|foreign key|exclude)\b(?!.*\bnot valid\b)/i,
    fault: 'reads the table: add NOT VALID, and validate it in a later migration',
  },
  { pattern: /\b(set (un)?logged|cluster|vacuum full|reindex)\b/i, fault: 'rewrites the table' },
  {
    pattern: /^(with .*)?(update|delete from|merge into) /i,
    fault: 'changes rows of a table that may be large: let a schedule do so in small steps',
  },
];

/** Removals of objects that nodes of the previous version may still use. */
const takesAway: Rule = {
  pattern: /\b(drop (table|column|view|function|sequence|constraint|type)|rename (to|column|constraint))\b/i,
  fault: 'takes away what the version before may use: leave it to a contracting migration',
};

const createdTable = /^create (?:unlogged )?table (?:if not exists )?(\w+)/i;

function tableOf(statement: string): string | undefined {
  const patterns = [
    /^create (?:unique )?index (?:if not exists )?\w+ on (?:only )?(\w+)/i,
    /^alter table (?:if exists )?(?:only )?(\w+)/i,
    /\b(?:update|delete from|merge into) (?:only )?(\w+)/i,
  ];
  return patterns.map((pattern) => pattern.exec(statement)?.[1]).find((name) => name !== undefined);
}

/**
 * The reasons why a migration cannot run while nodes of the previous version serve requests on a large database; empty if it can.
 */
export function faultsOf(migration: Migration): string[] {
  const statements = statementsOf(migration.sql);
  const created = new Set(statements.flatMap((text) => createdTable.exec(text)?.[1] ?? []));
  const isContracting = oldestNodeAfter(migration) > 0;
  return statements.flatMap((statement) => {
    const table = tableOf(statement);
    const isNew = table !== undefined && created.has(table);
    const isFree = isNew || (table !== undefined && smallTables.has(table));
    const rules = [...(isFree ? [] : underLock), ...(isContracting || isNew ? [] : [takesAway])];
    return rules
      .filter(({ pattern }) => pattern.test(statement))
      .map(({ fault }) => `${migration.version} (${migration.name}): "${statement.slice(0, 80)}" ${fault}`);
  });
}

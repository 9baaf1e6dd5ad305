import { z } from 'zod';
import type { CsvColumn } from '../../lib/wire/csv.ts';
import {
  booleanParameter,
  cursorParameter,
  integerParameter,
  providerId,
  wireInstant,
} from '../../lib/wire/wire.ts';
import { severities } from '../../reviewer/finding-vocabulary.ts';
import { ecosystems } from '../../reviewer/review-report.ts';
import type { StoredInventory } from './inventory-record.ts';
import type { DependencyFilter, ListedDependency } from './list-dependencies.ts';

const repositoryId = providerId.meta({ description: 'Its id at the Git provider' });

const filters = {
  repository_id: repositoryId.optional(),
  ecosystem: z.enum(ecosystems).optional(),
  name: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .meta({ description: 'The beginning of the name; case is ignored' }),
  affected: booleanParameter
    .optional()
    .meta({ description: 'true: only packages that are affected by an advisory' }),
};

export const exportQuery = z.strictObject(filters);
export const dependenciesQuery = z.strictObject({
  ...filters,
  format: z.enum(['json', 'csv']).default('json'),
  limit: integerParameter(1, 1000).default(100),
  cursor: cursorParameter.optional(),
});
export const inventoriesQuery = z.strictObject({
  limit: integerParameter(1, 1000).default(100),
  cursor: cursorParameter.optional(),
});
export const sbomQuery = z.strictObject({ repository_id: repositoryId });

const dependency = z
  .strictObject({
    repository_id: z.string(),
    repository_name: z.string(),
    ecosystem: z.enum(ecosystems),
    name: z.string(),
    version: z.string().meta({
      description: 'The exact version that a file locks, or else the range that a manifest asks for',
    }),
    fixed: z
      .boolean()
      .meta({ description: 'Whether `version` is exact; ranges are not compared with advisories' }),
    direct: z.boolean().meta({ description: 'Whether a manifest asks for it' }),
    licence: z.string().nullable().meta({ description: 'As given in the lock file' }),
    path: z.string().meta({ description: 'The first file that names it' }),
    vulnerabilities: z
      .array(z.string())
      .meta({ description: 'Ids of the advisories that affect this version' }),
    severity: z.enum(severities).nullable().meta({ description: 'The highest severity of these advisories' }),
  })
  .meta({ id: 'Dependency' });
export const dependencyPage = z.strictObject({
  data: z.array(dependency),
  next_cursor: z.string().nullable(),
});

const inventory = z
  .strictObject({
    repository_id: z.string(),
    repository_name: z.string(),
    revision: z.string().nullable().meta({ description: 'The commit of the default branch that was read' }),
    read_at: wireInstant
      .nullable()
      .meta({ description: 'When the branch was last checked; null before the first time' }),
    packages: z.int().min(0),
    affected: z.int().min(0).meta({ description: 'The number of packages that are affected by an advisory' }),
    notes: z.array(z.string()).meta({ description: 'What could not be read' }),
  })
  .meta({ id: 'DependencyInventory' });
export const inventoryPage = z.strictObject({ data: z.array(inventory), next_cursor: z.string().nullable() });

export function filterOf(query: z.output<typeof exportQuery>): DependencyFilter {
  return {
    repositoryId: query.repository_id,
    ecosystem: query.ecosystem,
    name: query.name,
    isAffected: query.affected === true,
  };
}

export function presentDependency(row: ListedDependency): z.output<typeof dependency> {
  return {
    repository_id: row.repositoryId,
    repository_name: row.repositoryName,
    ecosystem: row.ecosystem,
    name: row.name,
    version: row.version,
    fixed: row.isFixed,
    direct: row.isDirect,
    licence: row.licence,
    path: row.path,
    vulnerabilities: [...row.advisories],
    severity: row.severity,
  };
}

export function presentInventory(row: StoredInventory): z.output<typeof inventory> {
  return {
    repository_id: row.providerRepositoryId,
    repository_name: row.repositoryName,
    revision: row.revision,
    read_at: row.readAt?.toISOString() ?? null,
    packages: row.packages,
    affected: row.affected,
    notes: [...row.notes],
  };
}

const names = Object.keys(dependency.shape) as (keyof z.output<typeof dependency>)[];
export const dependencyColumns: readonly CsvColumn<z.output<typeof dependency>>[] = names.map((name) => ({
  name,
  cell: (row) => {
    const value = row[name];
    return Array.isArray(value) ? value.join(' ') : value;
  },
}));

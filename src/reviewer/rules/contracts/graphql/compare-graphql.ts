import type { ChangedFile } from '../../../change/change.ts';
import { versionsOf } from '../compare-definitions.ts';
import type { ComparedContracts } from '../compared.ts';
import { compareSchemas, type SchemaType, typesIn } from './compare-graphql-types.ts';

/** More than real schemas have. Limited because the parser's memory grows with the number of tokens. */
const maxTokens = 500_000;

/** Compares the types in the changed GraphQL files. */
export async function compareGraphql(
  files: readonly ChangedFile[],
  signal: AbortSignal,
): Promise<ComparedContracts> {
  if (files.length === 0) return { contracts: [], notes: [] };
  const { GraphQLError, parse } = await import('graphql');
  const read = (path: string, text: string): Map<string, SchemaType> => {
    if (text.trim() === '') return new Map();
    return typesIn(path, parse(text, { maxTokens }).definitions);
  };
  const faultOf = (error: unknown) => {
    if (error instanceof RangeError) return 'it is nested too deeply';
    return error instanceof GraphQLError
      ? `line ${error.locations?.[0]?.line ?? 1} could not be parsed`
      : undefined;
  };
  return versionsOf(files, { kind: 'graphql', read, faultOf, compare: compareSchemas }, signal);
}

/** The fields of a postgres.js query that its types do not declare. */
export interface QueryInternals {
  /** Hands the query to a connection; called once, shortly after the query is first awaited. */
  handler: (query: QueryInternals) => void;
  /** Called with whatever makes the query fail. */
  reject: (reason: unknown) => void;
  /** Whether the messages that arrive now answer this query. */
  readonly active: boolean;
}

/** The undeclared fields of a query; throws if an update of postgres.js has removed one of them. */
export function internalsOf(query: object): QueryInternals {
  const { handler, reject, active } = query as Partial<QueryInternals>;
  const isAsExpected =
    typeof handler === 'function' && typeof reject === 'function' && typeof active === 'boolean';
  if (!isAsExpected)
    throw new Error(
      'postgres.js has changed: its queries no longer have `handler`, `reject` and `active` (see src/db/driver/README.md)',
    );
  return query as QueryInternals;
}

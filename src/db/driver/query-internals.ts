import type postgres from 'postgres';

/** The fields of a postgres.js query that its types do not declare. */
export interface QueryInternals {
  /** Hands the query to a connection; called once, shortly after the query is first awaited. */
  handler: (query: QueryInternals) => void;
  /** Called with the result. */
  resolve: (result: unknown) => void;
  /** Called with whatever makes the query fail. */
  reject: (reason: unknown) => void;
  /** Whether the messages that arrive now answer this query. */
  readonly active: boolean;
  /** The text of the statement, once it has been sent. */
  readonly string?: string;
}

/** The undeclared fields of a query; throws if an update of postgres.js has removed one of them. */
export function internalsOf(query: object): QueryInternals {
  const { handler, resolve, reject, active } = query as Partial<QueryInternals>;
  const isAsExpected =
    typeof handler === 'function' &&
    typeof resolve === 'function' &&
    typeof reject === 'function' &&
    typeof active === 'boolean';
  if (!isAsExpected)
    throw new Error(
      'postgres.js has changed: its queries no longer have `handler`, `resolve`, `reject` and `active` (see src/db/driver/README.md)',
    );
  return query as QueryInternals;
}

let failed = 0;

/** The number of queries that have failed so far. Compared before and after an event, it shows whether that failed a query. */
export const failedQueries = (): number => failed;

/** Counts a query if it fails. */
export function countFailure(query: QueryInternals): void {
  const { reject } = query;
  query.reject = (reason) => {
    failed += 1;
    reject(reason);
  };
}

/** A client that passes each of its queries to `onQuery` before they are awaited; `own` replaces some of its properties. */
export function interceptQueries<Client extends postgres.ISql>(
  client: Client,
  onQuery: (query: QueryInternals, result: Promise<unknown>) => void,
  own: Readonly<Record<string, unknown>> = {},
): Client {
  const intercept = <Result>(result: Result): Result => {
    if (result instanceof Promise) onQuery(internalsOf(result), result);
    return result;
  };
  return new Proxy(client, {
    apply: (target, self, parameters) => intercept(Reflect.apply(target as never, self, parameters)),
    get: (target, property) => {
      if (property === 'unsafe')
        return (...given: Parameters<typeof target.unsafe>) => intercept(target.unsafe(...given));
      return Object.hasOwn(own, property) ? own[property as string] : Reflect.get(target, property);
    },
  });
}

import { notifications } from '@mantine/notifications';
import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { readableError } from '../lib/format.ts';

/** The outcome of a change that the server made only in part, or not at all. */
export interface Shortfall {
  readonly message: string;
  readonly isTotal: boolean;
}

type Outcome = string | Shortfall | undefined;

const failure = { color: 'red', title: 'Something went wrong', autoClose: 10_000 };
const partialFailure = { color: 'orange', title: 'Partly done', autoClose: 10_000 };

function notify(outcome: Outcome) {
  if (outcome === undefined) return;
  if (typeof outcome === 'string') notifications.show({ message: outcome, color: 'teal' });
  else notifications.show({ message: outcome.message, ...(outcome.isTotal ? failure : partialFailure) });
}

/**
 * Cancels running requests first: invalidation does not restart a query that is loading for the first time, and its data may be
 * from before the change.
 */
async function readAnew(client: QueryClient, queryKey: QueryKey) {
  await client.cancelQueries({ queryKey });
  await client.invalidateQueries({ queryKey });
}

interface ActionOptions<Result> {
  readonly invalidates: readonly QueryKey[];
  readonly done?: string | ((result: Result) => Outcome);
  /** True if the form shows the server's error itself. */
  readonly showsErrorItself?: boolean;
}

/**
 * A change: reloads the queries it invalidates, then notifies the person of success, so that the page already shows what the
 * message says; or notifies them of the server's error.
 */
export function useAction<Input, Result>(
  act: (input: Input) => Promise<Result>,
  { invalidates, done, showsErrorItself = false }: ActionOptions<Result>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    async onSuccess(result) {
      await Promise.all(invalidates.map((queryKey) => readAnew(client, queryKey)));
      notify(typeof done === 'function' ? done(result) : done);
    },
    onError(error) {
      if (!showsErrorItself) notifications.show({ message: readableError(error.message), ...failure });
    },
  });
}

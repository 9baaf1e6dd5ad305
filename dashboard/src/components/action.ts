import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

/** What became of a change that the server took only in part, or not at all. */
export interface Shortfall {
  readonly message: string;
  readonly isTotal: boolean;
}

type Told = string | Shortfall | undefined;

const didNotWork = { color: 'red', title: 'That did not work', autoClose: 10_000 };
const didPartlyWork = { color: 'orange', title: 'That worked only in part', autoClose: 10_000 };

function tell(told: Told) {
  if (told === undefined) return;
  if (typeof told === 'string') notifications.show({ message: told, color: 'teal' });
  else notifications.show({ message: told.message, ...(told.isTotal ? didNotWork : didPartlyWork) });
}

interface ActionOptions<Answer> {
  readonly touches: readonly QueryKey[];
  readonly done?: string | ((answer: Answer) => Told);
  /** True where the form itself shows what the server said against it. */
  readonly isErrorShown?: boolean;
}

/** A change: tells that it was done or what the server said against it, and reads anew what it touched. */
export function useAction<Input, Answer>(
  act: (input: Input) => Promise<Answer>,
  { touches, done, isErrorShown = false }: ActionOptions<Answer>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    async onSuccess(answer) {
      tell(typeof done === 'function' ? done(answer) : done);
      await Promise.all(touches.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
    onError(error) {
      if (!isErrorShown) notifications.show({ message: error.message, ...didNotWork });
    },
  });
}

import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

/** A change: tells that it was done or what the server said against it, and reads anew what it touched. */
export function useAction<Input, Answer>(
  act: (input: Input) => Promise<Answer>,
  {
    touches,
    done,
  }: { touches: readonly QueryKey[]; done?: string | ((answer: Answer) => string | undefined) },
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    async onSuccess(answer) {
      const message = typeof done === 'function' ? done(answer) : done;
      if (message !== undefined) notifications.show({ message, color: 'teal' });
      await Promise.all(touches.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
    onError(error) {
      notifications.show({
        message: error.message,
        color: 'red',
        title: 'That did not work',
        autoClose: 10_000,
      });
    },
  });
}

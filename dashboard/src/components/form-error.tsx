import { Alert } from '@mantine/core';
import { readableError } from '../lib/format.ts';

/** Why the server rejected what a form sent; nothing if it did not. */
export function FormError({ error }: { error: Error | string | null | undefined }) {
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" variant="outline" role="alert">
      {readableError(typeof error === 'string' ? error : error.message)}
    </Alert>
  );
}

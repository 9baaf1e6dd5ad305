import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useFilters } from '../../lib/search.ts';

const pauseMs = 300;

/** A text filter. It goes into the URL (`search`) when typing pauses, and returns to the first page. */
export function FilterText({ label, placeholder }: { label: string; placeholder: string }) {
  const [{ search }, change] = useFilters();
  const [typed, setTyped] = useState(search ?? '');
  const apply = useDebouncedCallback(
    (text: string) => change({ search: text, page: undefined }, { replace: true }),
    pauseMs,
  );
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      maxLength={200}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        apply(event.currentTarget.value);
      }}
    />
  );
}

export interface SearchedOption {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

/**
 * The options of a search box. A note is the last one if these are not all, or if there are none: a list box must have options,
 * and people should not take a part for the whole.
 */
export function searchedOptions<Option = SearchedOption>(
  found: readonly Option[],
  { hasMore, whenEmpty }: { readonly hasMore: boolean; readonly whenEmpty: string },
): (Option | SearchedOption)[] {
  const note = (label: string) => ({ value: ' note', label, disabled: true });
  if (found.length === 0) return [note(whenEmpty)];
  return hasMore ? [...found, note('There are more: type to narrow the list')] : [...found];
}

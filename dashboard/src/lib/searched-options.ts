export interface SearchedOption {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

/**
 * What a search box lists, with a note as its last option where that is not everything, or nothing: a list box must have
 * options, and nobody should take a part for the whole.
 */
export function searchedOptions<Option = SearchedOption>(
  found: readonly Option[],
  { hasMore, whenEmpty }: { readonly hasMore: boolean; readonly whenEmpty: string },
): (Option | SearchedOption)[] {
  const note = (label: string) => ({ value: ' note', label, disabled: true });
  if (found.length === 0) return [note(whenEmpty)];
  return hasMore ? [...found, note('There are more: type to narrow them down')] : [...found];
}

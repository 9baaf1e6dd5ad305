/** What a review process may use, where nobody says otherwise. */
export const defaultMemoryMb = 512;

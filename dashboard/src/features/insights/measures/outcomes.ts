/** The outcomes of comments, with the colors of the palette. */
export const outcomes = [
  { name: 'accepted', label: 'Accepted', color: 'var(--postil-accepted)' },
  { name: 'not_accepted', label: 'Not accepted', color: 'var(--postil-not-accepted)' },
  { name: 'unknown', label: 'Unknown', color: 'var(--postil-unknown)' },
] as const;

/** What becomes of comments, in colors that people with color blindness can tell apart. */
export const outcomes = [
  { name: 'accepted', label: 'Accepted', color: 'indigo.6' },
  { name: 'not_accepted', label: 'Not accepted', color: 'orange.6' },
  { name: 'unknown', label: 'Unknown', color: 'gray.5' },
] as const;

/** The colours of outcomes, told apart also by people who see red and green alike. */
export const outcomeSeries = [
  { name: 'accepted', label: 'Accepted', color: 'indigo.6' },
  { name: 'not_accepted', label: 'Not accepted', color: 'orange.6' },
  { name: 'unknown', label: 'Unknown', color: 'gray.5' },
];

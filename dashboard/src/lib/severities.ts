/** The severities of findings, from worst to least. */
export const severities = ['critical', 'major', 'minor', 'trivial', 'info'] as const;

/** The colors are the same everywhere. Badges name the severity as well, so that nobody has to tell colors apart. */
export const severityColors = {
  critical: 'red',
  major: 'orange',
  minor: 'yellow',
  trivial: 'blue',
  info: 'gray',
} as const satisfies Record<(typeof severities)[number], string>;

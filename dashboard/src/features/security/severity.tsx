import { Badge } from '@mantine/core';
import { humanize } from '../../lib/format.ts';

export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof severities)[number];

/** Named as well as colored, so that nobody has to tell colors apart. */
const colors: Record<Severity, string> = {
  critical: 'red',
  high: 'orange',
  medium: 'yellow',
  low: 'blue',
  info: 'gray',
};

export function SeverityBadge({ severity }: { severity: Severity }) {
  return <Badge color={colors[severity]}>{humanize(severity)}</Badge>;
}

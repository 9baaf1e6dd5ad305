import type { z } from 'zod';
import type {
  checkedPage,
  measurePage,
  repositoryChecks,
} from '../../../../src/capabilities/reviews/checks/listing/schemas.ts';
import type { overridePage } from '../../../../src/capabilities/reviews/checks/overrides/schemas.ts';

export type CheckedPage = z.output<typeof checkedPage>;
export type CheckedPull = CheckedPage['data'][number];
export type Check = CheckedPull['checks'][number];
export type RepositoryChecks = z.output<typeof repositoryChecks>;
export type HeldCheck = RepositoryChecks['checks'][number];
export type MeasurePage = z.output<typeof measurePage>;
export type Measure = MeasurePage['data'][number];
export type OverridePage = z.output<typeof overridePage>;
export type Override = OverridePage['data'][number];

export const states: readonly { value: CheckedPull['state']; label: string; color: string }[] = [
  { value: 'failure', label: 'Failed', color: 'red' },
  { value: 'neutral', label: 'Warning or undecided', color: 'yellow' },
  { value: 'success', label: 'Passed', color: 'green' },
];

export const verdictColors: Readonly<Record<Check['verdict'], string>> = {
  failed: 'red',
  inconclusive: 'yellow',
  passed: 'green',
  skipped: 'gray',
};

export const modeColors: Readonly<Record<HeldCheck['mode'], string>> = {
  error: 'red',
  warning: 'yellow',
  off: 'gray',
};

/** The origins of settings, in words. */
export const origins: Readonly<Record<HeldCheck['mode_from'], string>> = {
  built_in: 'built-in',
  organization: 'organization defaults',
  file: 'repository file',
  enforced: 'enforced by the organization',
};

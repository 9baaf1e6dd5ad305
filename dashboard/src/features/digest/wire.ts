import type { z } from 'zod';
import type { digestContent } from '../../../../src/capabilities/digests/content/digest-content.ts';
import type * as schemas from '../../../../src/capabilities/digests/schemas.ts';

export type Week = z.output<typeof digestContent>;
export type DigestSettings = z.output<typeof schemas.digestSettings>;
export type Digest = DigestSettings['digests'][number];
export type Sending = NonNullable<Digest['last']>['sendings'][number];
export type DigestPreview = z.output<typeof schemas.digestPreview>;
export type TestResult = z.output<typeof schemas.testResult>;

export const digestsKey = (organization: string) => ['digests', organization];

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const chatLabels: Readonly<Record<'slack' | 'teams', string>> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
};

/** The display name of a digest. */
export function nameOf({ team }: Pick<Digest, 'team'>): string {
  if (team === null) return 'The whole organization';
  return team.name ?? 'A deleted team';
}

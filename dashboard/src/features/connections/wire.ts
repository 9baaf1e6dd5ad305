import type { z } from 'zod';
import type * as schemas from '../../../../src/capabilities/connections/schemas.ts';

export type Connection = z.output<typeof schemas.connectionView>;
export type ConnectionPage = z.output<typeof schemas.connectionPage>;
export type CreatedConnection = z.output<typeof schemas.createdConnection>;
export type Check = z.output<typeof schemas.checkResult>['checks'][number];
export type DeliveryPage = z.output<typeof schemas.deliveryPage>;
export type Delivery = DeliveryPage['data'][number];

export const connectionsKey = ['connections'];

/** The display names of the hosts. */
export const hostNames: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea or Forgejo',
};

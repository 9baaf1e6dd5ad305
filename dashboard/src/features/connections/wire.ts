import type { z } from 'zod';
import type {
  checkResult,
  connectionPage,
  connectionView,
  createdConnection,
  deliveryPage,
} from '../../../../src/capabilities/connections/schemas.ts';

export type Connection = z.output<typeof connectionView>;
export type ConnectionPage = z.output<typeof connectionPage>;
export type CreatedConnection = z.output<typeof createdConnection>;
export type Check = z.output<typeof checkResult>['checks'][number];
export type DeliveryPage = z.output<typeof deliveryPage>;
export type Delivery = DeliveryPage['data'][number];

export const connectionsKey = ['connections'];

/** What people call the hosts. */
export const hostNames: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea or Forgejo',
};

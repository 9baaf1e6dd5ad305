import type { z } from 'zod';
import type { DeliveryStatus } from '../../capabilities/connections/deliveries/delivery-store.ts';
import type { HostProvider } from '../../capabilities/connections/hosts/host.ts';
import type {
  connectionView,
  createdConnection,
  deliveryPage,
} from '../../capabilities/connections/schemas.ts';
import type { OptionNames } from '../server-response.ts';

export type ConnectionView = z.output<typeof connectionView>;
export type CreatedConnection = z.output<typeof createdConnection>;
export type DeliveryView = z.output<typeof deliveryPage>['data'][number];

/** The hosts that can be connected, repeated here because importing the list would load the clients of all hosts. */
export const hostProviders = ['github', 'gitlab', 'gitea'] as const satisfies readonly HostProvider[];

export const deliveryStatuses = [
  'waiting',
  'done',
  'ignored',
  'failed',
] as const satisfies readonly DeliveryStatus[];

export const connectionsPath = '/operator/v1/connections';

/** The path of a connection, or of a resource below it. */
export function pathOf(id: string, ...below: string[]): string {
  return [connectionsPath, ...[id, ...below].map(encodeURIComponent)].join('/');
}

/** The command-line option for each field of a connection request, for error messages. */
export const connectionOptionNames: OptionNames = {
  id: 'id',
  delivery: 'delivery',
  provider: '--provider',
  url: '--url',
  instance: '--instance',
  credentials: '--token-file',
  organizations: '--orgs',
  webhook_secret: '--webhook-secret-file',
  review: '--review',
  since: '--since',
  app_id: '--app-id',
  private_key: '--private-key-file',
  installation_id: '--installation-id',
};

/** A time as shown in tables. */
export function formatMoment(instant: string | null): string {
  return instant === null ? 'never' : instant.replace(/\.\d+Z$/, 'Z');
}

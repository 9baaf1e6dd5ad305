export { type ClientOptions, createClient, type PostilClient } from './client.ts';
export { PostilError, unwrap } from './errors.ts';
export { type ItemOf, type PagedPath, paginate } from './paginate.ts';
export type { RetryOptions } from './retry.ts';
export type { components, paths } from './schema.ts';
export { verifyWebhook, type WebhookEvent, WebhookVerificationError } from './webhooks.ts';

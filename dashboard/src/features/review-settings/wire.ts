import type { z } from 'zod';
import type {
  mcpServers,
  reviewSettings,
} from '../../../../src/capabilities/reviews/requests/settings/schemas.ts';

export type ReviewSettings = z.output<typeof reviewSettings>;
export type McpServers = z.output<typeof mcpServers>;
export type McpServer = McpServers['data'][number];

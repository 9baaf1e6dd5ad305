import type { HostDeps } from './capabilities/connections/open-host.ts';
import type { Embedder } from './capabilities/learnings/embedding/embedder.ts';
import type { ReviewsDeps } from './capabilities/reviews/reviews-capability.ts';
import type { Database } from './db/database.ts';
import type { Logger } from './lib/log.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { workHere } from './reviewer/process/run-here.ts';
import type { Vault } from './secrets/vault.ts';
import type { Settings } from './settings.ts';
import type { WorkQueue } from './work/work-queue.ts';

export interface AppDeps {
  readonly database: Database;
  /** Copies of the database, for reads that may lag. */
  readonly replicas?: readonly Database[];
  readonly clock: () => Date;
  readonly log: Logger;
  readonly embedder: Embedder;
  /** How much memory to use for caching recent embeddings. */
  readonly embeddingCacheBytes?: number;
  readonly operatorToken: string;
  readonly vault: Vault;
  readonly outbound: Outbound;
  /** Calls the addresses that organizations may name. */
  readonly customerOutbound: Outbound;
  readonly queue: WorkQueue;
  /** The model that looks at changes besides the rules, if not the one of the settings. */
  readonly reviewModel?: ReviewsDeps['model'];
  /** The rules that reviews use, if not all that there are; foreign code is then read in this process, which tests do. */
  readonly ruleSources?: Parameters<typeof workHere>[0];
  /** Hosts in use, by their credentials; tests put doubles there. */
  readonly openHosts?: HostDeps['openHosts'];
  /** Where reviews keep copies of repositories. */
  readonly mirrorsFolder: string;
  /** Where this server can be reached, if no public URL is set. */
  readonly ownUrl: () => string;
  /** Where the built dashboard is, if not in the default location. */
  readonly dashboardFolder?: string;
  /** Whether building the dashboard has failed. */
  readonly hasDashboardFailed?: () => boolean;
  /** How long callers may take to send a body, if not the default. */
  readonly bodyTimeoutMs?: number;
  /** How long a check of readiness waits for the database, if not the default. */
  readonly maxReadyMs?: number;
  /** How long a scrape of the metrics waits for one that is read for it, if not the default. */
  readonly maxMetricReadMs?: number;
  readonly settings: Pick<Settings, 'metricsPerMinute' | 'apiKeyHeaderAliases'> &
    Partial<
      Pick<
        Settings,
        | 'archive'
        | 'customerAddresses'
        | 'dataDirectory'
        | 'mail'
        | 'mirrorsMaxBytes'
        | 'model'
        | 'reviewLimits'
        | 'reviewProcesses'
        | 'searchPath'
        | 'eventMemoryDays'
        | 'hookMemoryDays'
        | 'webhookMemoryDays'
        | 'replicaMaxLagMs'
        | 'trustProxy'
        | 'publicUrl'
        | 'oidc'
      >
    >;
}

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
  /** Replicas of the database, for reads that may lag. */
  readonly replicas?: readonly Database[];
  readonly clock: () => Date;
  readonly log: Logger;
  readonly embedder: Embedder;
  /** The size of the cache for recent embeddings. */
  readonly embeddingCacheBytes?: number;
  readonly operatorToken: string;
  readonly vault: Vault;
  readonly outbound: Outbound;
  /** Connects to addresses that organizations have configured. */
  readonly customerOutbound: Outbound;
  readonly queue: WorkQueue;
  /** The model for reviews; by default the one of the settings. */
  readonly reviewModel?: ReviewsDeps['model'];
  /**
   * The rules for reviews, if not all. If given, untrusted code is read in this process instead of review processes; for tests
   * only.
   */
  readonly ruleSources?: Parameters<typeof workHere>[0];
  /** The opened hosts, by their credentials; tests replace them with doubles. */
  readonly openHosts?: HostDeps['openHosts'];
  /** The folder of the mirrors of repositories for reviews. */
  readonly mirrorsFolder: string;
  /** The server's own URL, if no public URL is set. */
  readonly ownUrl: () => string;
  /** The folder of the built dashboard, if not the default. */
  readonly dashboardFolder?: string;
  /** Whether building the dashboard has failed. */
  readonly hasDashboardFailed?: () => boolean;
  /** Timeout for receiving a body, if not the default. */
  readonly bodyTimeoutMs?: number;
  /** How long a readiness check waits for the database, if not the default. */
  readonly maxReadyMs?: number;
  /** Timeout for reading a gauge during a scrape, if not the default. */
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

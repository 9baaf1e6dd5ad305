import path from 'node:path';
import { z } from 'zod';
import { isSourceValue } from './access/api-key-value.ts';
import { defaultHookMemoryDays } from './capabilities/connections/deliveries/hook-memory.ts';
import type { OidcSettings } from './capabilities/dashboard-session/deps.ts';
import { defaultEventMemoryDays } from './capabilities/intake/forget-events.ts';
import { defaultMirrorsMaxBytes } from './capabilities/reviews/mirror/mirror-limits.ts';
import { defaultWebhookMemoryDays } from './capabilities/webhooks/delivery/webhook-memory.ts';
import { readOperatorToken } from './data-folder.ts';
import { encryptionModes } from './db/driver/sockets/encryption.ts';
import { DataFolderError } from './db/embedded/embedded-errors.ts';
import { defaultReplicaMaxLagMs } from './db/replicas/lagging-reads.ts';
import type { TrustedProxies } from './http/request/caller-address.ts';
import { isPackaged } from './lib/own-files.ts';
import { faultsOf } from './lib/wire/faults.ts';
import { must } from './lib/wire/own-checks.ts';
import type { AllowedAddresses } from './outbound/address-guard.ts';
import type { MailSettings } from './outbound/mail.ts';
import {
  type ModelSettings,
  modelEnvironment,
  modelFaults,
  modelSettingsOf,
  type ReviewLimits,
} from './reviewer/model/model-settings.ts';
import { processEnvironment, processSettingsOf } from './reviewer/process/process-settings.ts';
import type { ReviewProcessSettings } from './reviewer/process/review-processes.ts';
import { parseKeys, type SealingKey } from './secrets/key-ring.ts';
import {
  allowedAddresses,
  databaseUrl,
  days,
  flag,
  headerNames,
  httpUrl,
  isPrivateOrHttps,
  mailSender,
  mailServer,
  operatorToken,
  port,
  replicaUrls,
  trustedProxies,
  withEncryptionDefaults,
} from './setting-values.ts';

/** The default of POSTIL_DATA_DIR. The package runs in a user's folder, where `data` may exist already. */
export const dataDirectoryDefault = isPackaged ? './postil-data' : './data';
/** The default of POSTIL_DEMO_DIR: never inside a real data folder. */
export const demoDirectory = isPackaged ? './postil-demo' : './data-demo';

const environment = z.object({
  POSTIL_HOST: z.string().default('127.0.0.1'),
  POSTIL_PORT: port.default(8787),
  POSTIL_DATA_DIR: z.string().default(dataDirectoryDefault),
  POSTIL_ARCHIVE_DIR: z
    .string()
    .transform((folder) => path.resolve(folder))
    .optional(),
  POSTIL_ARCHIVE_DAYS: days.default(7),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URL: replicaUrls.default([]),
  POSTIL_DATABASE_WAIT_SECONDS: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number of seconds from 0 to 9999')
    .transform((text) => Number(text) * 1000)
    .default(300_000),
  PGSSLMODE: z.enum(encryptionModes, `must be one of ${encryptionModes.join(', ')}`).optional(),
  PGSSLROOTCERT: z.string().optional(),
  POSTIL_REPLICA_MAX_LAG_SECONDS: z
    .string()
    .regex(/^([5-9]|[1-9]\d{1,3})$/, 'must be a whole number of seconds from 5 to 9999')
    .transform((text) => Number(text) * 1000)
    .default(defaultReplicaMaxLagMs),
  POSTIL_OPERATOR_TOKEN: operatorToken.optional(),
  POSTIL_SOURCE_KEY: z
    .string()
    .check(must(isSourceValue, 'is not the value of an event source, which begins with pss_'))
    .optional(),
  POSTIL_METRICS_PER_MINUTE: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a whole number from 1 to 999999')
    .transform(Number)
    .default(60),
  POSTIL_EVENT_MEMORY_DAYS: days.default(defaultEventMemoryDays),
  POSTIL_HOOK_MEMORY_DAYS: days.default(defaultHookMemoryDays),
  POSTIL_WEBHOOK_MEMORY_DAYS: days.default(defaultWebhookMemoryDays),
  POSTIL_MIRRORS_MAX_GB: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a whole number of gigabytes from 1 to 999999')
    .transform((text) => Number(text) * 1024 ** 3)
    .default(defaultMirrorsMaxBytes),
  POSTIL_EMBEDDINGS_URL: httpUrl.optional(),
  POSTIL_EMBEDDINGS_MODEL: z.string().max(200).optional(),
  POSTIL_EMBEDDINGS_API_KEY: z.string().optional(),
  POSTIL_API_KEY_HEADER_ALIASES: headerNames.default([]),
  POSTIL_TRUST_PROXY: trustedProxies.default(false),
  POSTIL_SECRET_KEY: z
    .string()
    .transform((text, issues) => {
      const keys = parseKeys(text);
      if (keys !== undefined) return keys;
      issues.addIssue('must be 32 bytes in base64 or hex, or several such keys separated by commas');
      return z.NEVER;
    })
    .optional(),
  POSTIL_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  POSTIL_URL: httpUrl.optional(),
  POSTIL_PUBLIC_URL: httpUrl.transform((text) => new URL(text).origin).optional(),
  POSTIL_SMTP_URL: mailServer.optional(),
  POSTIL_SMTP_FROM: mailSender.optional(),
  POSTIL_WEBHOOK_ALLOW: allowedAddresses.default({ ranges: [], hosts: [] }),
  POSTIL_OIDC_ISSUER: httpUrl
    .check(must(isPrivateOrHttps, 'must be an https URL (http only on this machine)'))
    .optional(),
  POSTIL_OIDC_CLIENT_ID: z.string().max(500).optional(),
  POSTIL_OIDC_CLIENT_SECRET: z.string().max(2000).optional(),
  POSTIL_OIDC_TRUST_EMAIL: flag.default(false),
  ...modelEnvironment.shape,
  ...processEnvironment.shape,
});

/** All variables that a server reads. */
export const settingNames: readonly string[] = Object.keys(environment.shape);

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly dataDirectory: string;
  /** The archive of the embedded database, from which any moment of the last days can be restored. */
  readonly archive: { readonly folder: string; readonly days: number } | undefined;
  readonly databaseUrl: string | undefined;
  /** How long a start waits for that database. */
  readonly databaseWaitMs: number;
  /** Replicas of the database, for reads that may lag. */
  readonly replicaUrls: readonly string[];
  /** How long a change may remain invisible to such reads. */
  readonly replicaMaxLagMs: number;
  readonly operatorToken: string | undefined;
  /** The CLI sends events with this key, instead of the operator token. */
  readonly sourceKey: string | undefined;
  readonly metricsPerMinute: number;
  /** How long to remember applied events whose repetition would be harmless. */
  readonly eventMemoryDays: number;
  /** How long to keep received deliveries of hosts, and sent deliveries to webhooks. */
  readonly hookMemoryDays: number;
  readonly webhookMemoryDays: number;
  /** The maximum size of the mirrors of repositories. */
  readonly mirrorsMaxBytes: number;
  /** The folders of the linters on this machine, as in PATH. */
  readonly searchPath: string | undefined;
  readonly embeddings: {
    readonly url?: string | undefined;
    readonly model?: string | undefined;
    readonly apiKey?: string | undefined;
  };
  readonly apiKeyHeaderAliases: readonly string[];
  readonly trustProxy: TrustedProxies;
  readonly logLevel: string;
  /** The keys for stored secrets: the first one encrypts, all can decrypt. */
  readonly secretKeys: readonly SealingKey[] | undefined;
  /** The URL of the server, for the CLI. */
  readonly serverUrl: string | undefined;
  /** The server's origin in browsers. */
  readonly publicUrl: string | undefined;
  readonly oidc: OidcSettings | undefined;
  /** The mail server for digests, if configured. */
  readonly mail: MailSettings | undefined;
  /** Internal addresses that organizations may use for webhooks and MCP servers. */
  readonly customerAddresses: AllowedAddresses;
  /** The model for reviews, if configured. */
  readonly model: ModelSettings | undefined;
  readonly reviewLimits: ReviewLimits;
  /** The number of processes that read untrusted code, and the memory of each. */
  readonly reviewProcesses: ReviewProcessSettings;
}

/** Some settings are invalid; the message names all of them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Reads the settings from the environment; an empty value counts as unset, and all faults are reported at once. */
export function readSettings(
  variables: NodeJS.ProcessEnv = process.env,
  otherFaults: readonly string[] = [],
): Settings {
  const given = withEncryptionDefaults(
    Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== '')),
  );
  const result = environment.safeParse(given);
  const faults = result.success ? [] : faultsOf(result.error);
  // An empty value is probably a mistake; it must not silently be replaced by another token or database.
  if (variables.POSTIL_OPERATOR_TOKEN === '')
    faults.push('POSTIL_OPERATOR_TOKEN: is empty; unset it to use the one in the data folder');
  if (variables.POSTIL_SOURCE_KEY === '')
    faults.push('POSTIL_SOURCE_KEY: is empty; unset it to use the operator token');
  if (variables.DATABASE_URL === '')
    faults.push('DATABASE_URL: is empty; unset it to use the embedded database');
  if (given.POSTIL_EMBEDDINGS_URL !== undefined && given.POSTIL_EMBEDDINGS_MODEL === undefined) {
    faults.push('POSTIL_EMBEDDINGS_MODEL: required with POSTIL_EMBEDDINGS_URL');
  }
  if (given.DATABASE_REPLICA_URL !== undefined && given.DATABASE_URL === undefined)
    faults.push('DATABASE_URL: required with DATABASE_REPLICA_URL; the embedded database has no replicas');
  if (given.POSTIL_ARCHIVE_DIR !== undefined && given.DATABASE_URL !== undefined)
    faults.push(
      'POSTIL_ARCHIVE_DIR: is only for the embedded database; archive that of DATABASE_URL with its own tools',
    );
  if (given.POSTIL_OIDC_ISSUER !== undefined) {
    for (const name of ['POSTIL_OIDC_CLIENT_ID', 'POSTIL_PUBLIC_URL'])
      if (given[name] === undefined) faults.push(`${name}: required with POSTIL_OIDC_ISSUER`);
  }
  if (given.POSTIL_SMTP_URL !== undefined) {
    for (const name of ['POSTIL_SMTP_FROM', 'POSTIL_PUBLIC_URL'])
      if (given[name] === undefined) faults.push(`${name}: required with POSTIL_SMTP_URL`);
  }
  faults.push(...modelFaults(given), ...otherFaults);
  if (!result.success || faults.length > 0)
    throw new SettingsError(`The settings are invalid:\n  ${faults.join('\n  ')}`);
  const { data } = result;
  return {
    host: data.POSTIL_HOST,
    port: data.POSTIL_PORT,
    dataDirectory: data.POSTIL_DATA_DIR,
    archive:
      data.POSTIL_ARCHIVE_DIR === undefined
        ? undefined
        : { folder: data.POSTIL_ARCHIVE_DIR, days: data.POSTIL_ARCHIVE_DAYS },
    databaseUrl: data.DATABASE_URL,
    databaseWaitMs: data.POSTIL_DATABASE_WAIT_SECONDS,
    replicaUrls: data.DATABASE_REPLICA_URL,
    replicaMaxLagMs: data.POSTIL_REPLICA_MAX_LAG_SECONDS,
    operatorToken: data.POSTIL_OPERATOR_TOKEN,
    sourceKey: data.POSTIL_SOURCE_KEY,
    metricsPerMinute: data.POSTIL_METRICS_PER_MINUTE,
    eventMemoryDays: data.POSTIL_EVENT_MEMORY_DAYS,
    hookMemoryDays: data.POSTIL_HOOK_MEMORY_DAYS,
    webhookMemoryDays: data.POSTIL_WEBHOOK_MEMORY_DAYS,
    mirrorsMaxBytes: data.POSTIL_MIRRORS_MAX_GB,
    searchPath: variables.PATH,
    embeddings: {
      url: data.POSTIL_EMBEDDINGS_URL,
      model: data.POSTIL_EMBEDDINGS_MODEL,
      apiKey: data.POSTIL_EMBEDDINGS_API_KEY,
    },
    apiKeyHeaderAliases: data.POSTIL_API_KEY_HEADER_ALIASES,
    trustProxy: data.POSTIL_TRUST_PROXY,
    logLevel: data.POSTIL_LOG_LEVEL,
    secretKeys: data.POSTIL_SECRET_KEY,
    serverUrl: data.POSTIL_URL,
    publicUrl: data.POSTIL_PUBLIC_URL,
    customerAddresses: data.POSTIL_WEBHOOK_ALLOW,
    mail: data.POSTIL_SMTP_URL && { ...data.POSTIL_SMTP_URL, from: data.POSTIL_SMTP_FROM! },
    oidc:
      data.POSTIL_OIDC_ISSUER === undefined
        ? undefined
        : {
            issuer: data.POSTIL_OIDC_ISSUER,
            clientId: data.POSTIL_OIDC_CLIENT_ID!,
            clientSecret: data.POSTIL_OIDC_CLIENT_SECRET,
            trustEmail: data.POSTIL_OIDC_TRUST_EMAIL,
          },
    ...modelSettingsOf(data),
    reviewProcesses: processSettingsOf(data),
  };
}

/** Reads the settings of a server, and also checks the operator token in the data folder. */
export async function readServerSettings(variables: NodeJS.ProcessEnv = process.env): Promise<Settings> {
  const faults: string[] = [];
  if (variables.POSTIL_OPERATOR_TOKEN === undefined)
    await readOperatorToken(variables.POSTIL_DATA_DIR || dataDirectoryDefault).catch((error: Error) => {
      if (!(error instanceof DataFolderError)) throw error;
      faults.push(error.message);
    });
  return readSettings(variables, faults);
}

/** The settings of the demo: its address and its own folder. No variable is read that could make it use real data. */
export function readDemoSettings(variables: NodeJS.ProcessEnv = process.env): Settings {
  return readSettings({
    POSTIL_HOST: variables.POSTIL_HOST,
    POSTIL_PORT: variables.POSTIL_PORT,
    POSTIL_DATA_DIR: variables.POSTIL_DEMO_DIR || demoDirectory,
    POSTIL_LOG_LEVEL: 'warn',
    // To find Git.
    PATH: variables.PATH,
  });
}

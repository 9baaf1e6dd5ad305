import { z } from 'zod';
import { must, onSound } from '../../../../lib/wire/own-checks.ts';
import { httpUrl } from '../../../../lib/wire/wire.ts';
import { redactCredentials } from '../../../../redaction/redact-credentials.ts';
import { checksShape } from '../../../../reviewer/configuration/checks-shape.ts';
import { postilFileShape } from '../../../../reviewer/configuration/review-configuration.ts';
import type { McpServer } from '../../settings/mcp-store.ts';
import type { ReviewSettings } from '../../settings/review-settings.ts';
import type { McpServerInput } from './change-mcp-servers.ts';

const username = z.string().trim().min(1).max(255);

/** All settings; a field that is left out gets its default. */
export const reviewSettings = z.strictObject({
  other_reviewers: z
    .array(username)
    .max(100)
    .default([])
    .meta({ description: 'User names of other reviewers, whose findings are tracked like those of Postil' }),
  budget_usd_per_month: z
    .number()
    .min(0)
    .max(1_000_000)
    .nullable()
    .default(null)
    .meta({ description: 'The maximum cost of the model per calendar month (UTC); null: no limit' }),
  ast_grep_rules: z.array(z.string().min(1).max(65_536)).max(100).default([]).meta({
    description: 'YAML texts with ast-grep rules; several rules in one text are separated by `---`',
  }),
  allow_mcp_for_forks: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether a model may call MCP tools for pull requests from forks' }),
  defaults: postilFileShape
    .default({})
    .meta({ description: 'As in `.postil.yaml`; the file of a repository takes precedence' }),
  enforced_checks: checksShape.default({}).meta({
    description:
      'As `checks` in `.postil.yaml`; they apply in every repository, whose own checks can only be stricter',
  }),
});

export function settingsOf(body: z.output<typeof reviewSettings>): ReviewSettings {
  return {
    otherReviewers: [...new Set(body.other_reviewers)],
    budgetUsdPerMonth: body.budget_usd_per_month,
    astGrepRules: body.ast_grep_rules,
    allowMcpForForks: body.allow_mcp_for_forks,
    defaults: body.defaults,
    enforcedChecks: body.enforced_checks,
  };
}

export function presentSettings(settings: ReviewSettings) {
  return {
    other_reviewers: settings.otherReviewers,
    budget_usd_per_month: settings.budgetUsdPerMonth,
    ast_grep_rules: settings.astGrepRules,
    allow_mcp_for_forks: settings.allowMcpForForks,
    defaults: settings.defaults,
    enforced_checks: settings.enforcedChecks,
  };
}

/** Headers that the HTTP connection or the protocol sets itself. */
const reservedHeaders = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'mcp-protocol-version',
  'mcp-session-id',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const headerName = z
  .string()
  .max(100)
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'is not the name of a header')
  .check(must((name) => !reservedHeaders.has(name.toLowerCase()), 'is a header that cannot be set'));
const headerValue = z
  .string()
  .min(1)
  .max(8_192)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be in it
  .regex(/^[^\x00-\x08\x0a-\x1f\x7f]*$/, 'must not contain line breaks or control characters')
  .check(
    must((value) => [...value].every((character) => character.charCodeAt(0) <= 0xff), 'must be Latin-1'),
  );

const serverName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be in it
  .regex(/^[^\x00-\x1f\x7f]*$/, 'must not contain control characters');

const serverUrl = httpUrl.check(
  must((text) => {
    const { username: user, password } = new URL(text);
    return user === '' && password === '' && redactCredentials(text) === text;
  }, 'contains a credential, which would be shown again; put it into headers'),
);

const tools = z.array(z.string().min(1).max(255)).max(200);

const newServer = z.strictObject({
  name: serverName,
  url: serverUrl,
  headers: z
    .record(headerName, headerValue.nullable())
    .check(must((headers) => Object.keys(headers).length <= 20, 'must have at most 20 entries'))
    .check(
      must(
        (headers) => new Set(lowerNames(headers)).size === Object.keys(headers).length,
        'the name of a header occurs twice',
      ),
    )
    .default({})
    .meta({ description: 'Values are never shown again; null keeps the stored one' }),
  tools: tools.optional().meta({
    description: 'The tools that may be called (default: those that the server declares as read-only)',
  }),
});

const lowerNames = (headers: object) => Object.keys(headers).map((name) => name.toLowerCase());

export const mcpServersBody = z
  .array(newServer)
  .max(50)
  .check(
    onSound(({ value: servers, issues }) => {
      const known = new Set<string>();
      for (const [index, { name }] of servers.entries()) {
        if (known.has(name))
          issues.push({ code: 'custom', path: [index, 'name'], message: 'occurs twice', input: name });
        known.add(name);
      }
    }),
  );

export function serversOf(body: z.output<typeof mcpServersBody>): McpServerInput[] {
  return body.map(({ headers, ...server }) => ({
    ...server,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  }));
}

export const mcpServers = z.strictObject({
  data: z.array(
    z.strictObject({
      name: z.string(),
      url: z.string(),
      headers: z
        .record(z.string(), z.null())
        .meta({ description: 'The names of the headers; values are never shown' }),
      tools: z.array(z.string()).optional(),
    }),
  ),
  next_cursor: z.null(),
});

export function presentServers(servers: readonly McpServer[]) {
  const data = servers.map(({ name, url, headerNames, tools: listed }) => ({
    name,
    url,
    headers: Object.fromEntries(headerNames.map((header) => [header, null])),
    ...(listed !== null && { tools: listed }),
  }));
  return { data, next_cursor: null };
}

import type { Outbound } from '../../outbound/outbound.ts';
import type { Fence } from '../../reviewer/model/fence.ts';
import { redactStrings } from '../../reviewer/model/redact-strings.ts';
import type { OfferedTools } from '../../reviewer/model/review-by-model.ts';
import { connectServer, type ServedTool, type ToolServer } from './tool-server.ts';

/** The number of calls of tools, as `postil.mcp_usage` reports it. */
export interface ServerUsage {
  readonly name: string;
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly failures: number }[];
}

/** The tools that one review may use. */
export interface ReviewTools extends OfferedTools {
  close(): Promise<void>;
}

export interface ReviewToolsOptions {
  /** Decides which addresses may be called: URLs are configured by organizations, not by the operator. */
  readonly outbound: Outbound;
  /** Whether the change comes from a fork, whose author could make the model call tools. */
  readonly isFromFork: boolean;
  readonly allowForForks: boolean;
  readonly callTimeoutMs?: number;
  /** Called before each call of a tool, and again if it fails, with what is added to the usage. */
  readonly onUse?: (added: ServerUsage) => Promise<void>;
}

const defaultCallTimeoutMs = 20_000;
const maxTools = 40;
const maxCalls = 30;
const maxAnswer = 8_000;
const maxDescription = 500;
const maxSchema = 8_000;

interface Offered {
  readonly name: string;
  readonly server: string;
  readonly tool: ServedTool;
}

/** Connects to the MCP servers of an organization. A server that cannot be reached does not affect the others. */
export async function openReviewTools(
  servers: readonly ToolServer[],
  { outbound, isFromFork, allowForForks, callTimeoutMs = defaultCallTimeoutMs, onUse }: ReviewToolsOptions,
): Promise<ReviewTools> {
  const wanted = isFromFork && !allowForForks ? [] : servers;
  const opened = await Promise.allSettled(
    wanted.map((server) => connectServer(server, outbound, callTimeoutMs)),
  );
  const connected = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failures = opened.flatMap((result, index) =>
    result.status === 'rejected' ? [`the MCP server ${wanted[index]!.name} could not be used`] : [],
  );
  const offered = nameTools(
    connected.flatMap(({ name, tools }) => tools.map((tool) => ({ server: name, tool }))),
  );
  let calls = 0;

  async function count({ server, tool: { name } }: Offered, added: { calls: number; failures: number }) {
    await onUse?.({ name: server, tools: [{ name, ...added }] });
  }

  async function run(entry: Offered, fence: Fence, input: unknown, signal: AbortSignal): Promise<string> {
    if (calls >= maxCalls) return 'No more calls are possible in this review; answer now.';
    calls += 1;
    await count(entry, { calls: 1, failures: 0 });
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]);
    try {
      const { text, isError } = await entry.tool.call(redactStrings(input), timeout);
      if (isError) await count(entry, { calls: 0, failures: 1 });
      return fence.around(`answer of the tool ${entry.name}`, redactStrings(text).slice(0, maxAnswer));
    } catch {
      await count(entry, { calls: 0, failures: 1 });
      return 'The tool failed.';
    }
  }

  return {
    failures,
    offer: (fence) =>
      offered.map((entry) => ({
        name: entry.name,
        description: redactStrings(entry.tool.description).slice(0, maxDescription),
        inputSchema: redactStrings(entry.tool.inputSchema),
        run: (input, signal) => run(entry, fence, input, signal),
      })),
    async close() {
      await Promise.all(connected.map((server) => server.close()));
    },
  };
}

/** Gives every tool a unique name that all models accept. Tools with a very long input schema are left out. */
function nameTools(tools: readonly Omit<Offered, 'name'>[]): Offered[] {
  const taken = new Set<string>();
  return tools
    .filter(({ tool }) => JSON.stringify(tool.inputSchema).length <= maxSchema)
    .map(({ server, tool }) => {
      const base = `${server}_${tool.name}`.replaceAll(/[^\w-]/g, '_').slice(0, 60);
      let name = base;
      for (let number = 2; taken.has(name); number += 1) name = `${base}_${number}`;
      taken.add(name);
      return { name, server, tool };
    })
    .slice(0, maxTools);
}

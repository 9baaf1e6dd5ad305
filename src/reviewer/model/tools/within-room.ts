import { estimateTokens } from '../estimate-tokens.ts';
import type { ModelTool } from '../question.ts';

/** The same tools; once their results together have used `maxTokens`, further calls only return a notice. */
export function withinRoom(tools: readonly ModelTool[], maxTokens: number): ModelTool[] {
  let left = maxTokens;
  return tools.map((tool) => ({
    ...tool,
    async run(input, signal) {
      if (left <= 0) return 'There is no room for more answers of tools; answer now.';
      const answer = await tool.run(input, signal);
      left -= estimateTokens(answer);
      return answer;
    },
  }));
}

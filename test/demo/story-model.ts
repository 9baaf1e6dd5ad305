import type { Story } from '../../src/cli/demo/story/read-story.ts';
import { startScriptedModel } from '../models/scripted-model.ts';

/** Starts a model that gives the answers scripted by the stories for the code that it is shown. */
export function startStoryModel(stories: readonly Story[]) {
  const words = stories.flatMap((story) => story.words);
  return startScriptedModel('openai', ({ instructions, data }) => {
    if (instructions.includes('You answer a question')) return { answer: { answer: answerTo(data) } };
    if (!instructions.includes('findings')) return { answer: { remove: [] } };
    const said = words.filter(({ path: file, quote }) => data.includes(file) && data.includes(quote));
    const findings = said.map(({ learning, suggestion = null, ...word }) => ({
      ...word,
      suggestion,
      learning_ids: learning === undefined ? [] : learningNames(data, learning),
    }));
    return { answer: { summary: 'Looked at.', findings } };
  });
}

/** The names under which a Learning is shown to the model. */
function learningNames(data: string, beginning: string): string[] {
  const index = data.indexOf(beginning);
  if (index === -1) return [];
  const names = data.slice(0, index).match(/\bL\d+\b/g);
  return names === null ? [] : [names.at(-1)!];
}

/** The model's answers to the questions of the stories. */
function answerTo(data: string): string {
  return data.includes('idempotency')
    ? 'The key is the same for every attempt of one capture because it is made from the order and the amount, so a second attempt after a timeout returns the first result instead of charging again.'
    : 'The lock is held while the file is read, and the read can take as long as the disk needs; the other callers wait for it.';
}

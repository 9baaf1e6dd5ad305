import { readFile } from 'node:fs/promises';

/** A fenced block of a guide. */
interface Block {
  readonly language: string;
  readonly note: string;
  readonly text: string;
  readonly line: number;
}

/** Commands that a reader pastes, and the output shown by the guide. */
export interface Step {
  readonly commands: string;
  readonly line: number;
  readonly output: { readonly language: string; readonly text: string; readonly line: number } | undefined;
}

const outputLanguages = new Set(['json', 'text', 'csv']);

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const fence = /^```(\S*) ?(.*)$/.exec(lines[index]!);
    if (fence === null) continue;
    const end = lines.indexOf('```', index + 1);
    if (end === -1) throw new Error(`line ${index + 1}: the block does not end`);
    blocks.push({
      language: fence[1]!,
      note: fence[2]!,
      text: lines.slice(index + 1, end).join('\n'),
      line: index + 1,
    });
    index = end;
  }
  return blocks;
}

/**
 * The steps of a guide: every sh block, with the json, text or csv block after it as its output.
 *
 * A block that cannot be run says so and why: `sh no-run: stays in the foreground`. Any other block is an error: it would be
 * shown to readers without being checked.
 */
export function stepsOf(text: string): Step[] {
  const steps: Step[] = [];
  let previous: Block | undefined;
  for (const block of blocksOf(text)) {
    const { language, note, line } = block;
    const isRun = note === '';
    if (!isRun && !/^no-run: \S/.test(note))
      throw new Error(`line ${line}: "${note}" is not "no-run: reason"`);
    if (isRun && language === 'sh') steps.push({ commands: block.text, line, output: undefined });
    else if (isRun) {
      if (!outputLanguages.has(language))
        throw new Error(`line ${line}: a ${language || 'bare'} block is not run`);
      if (previous?.language !== 'sh' || previous.note !== '')
        throw new Error(`line ${line}: no commands before this output`);
      steps.push({ ...steps.pop()!, output: block });
    }
    previous = block;
  }
  return steps;
}

export async function readGuide(file: string): Promise<Step[]> {
  try {
    return stepsOf(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

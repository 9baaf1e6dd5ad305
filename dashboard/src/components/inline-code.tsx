import { Code } from '@mantine/core';

/** A text of a review, in which text between backticks is formatted as code. */
export function InlineCode({ text }: { text: string }) {
  return text.split(/`([^`\n]+)`/).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
    index % 2 === 1 ? <Code key={index}>{part}</Code> : part,
  );
}

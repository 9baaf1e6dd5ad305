import { Code } from '@mantine/core';

/** A text of a review, whose `code` is shown as such. */
export function InlineCode({ text }: { text: string }) {
  return text.split(/`([^`\n]+)`/).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
    index % 2 === 1 ? <Code key={index}>{part}</Code> : part,
  );
}

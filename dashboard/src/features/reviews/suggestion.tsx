import { Code } from '@mantine/core';
import './suggestion.css';

/** The suggested lines, below the lines that they would replace if these are known. */
export function Suggestion({
  suggestion,
  replaced = [],
}: {
  suggestion: string;
  replaced?: readonly string[] | undefined;
}) {
  const lines = suggestion.replace(/\n$/, '').split('\n');
  const line = (sign: '-' | '+', text: string, index: number) => (
    <span key={`${sign}${index}`} className={sign === '-' ? 'suggestion-old' : 'suggestion-new'}>
      <span className="visually-hidden">{sign === '-' ? 'instead of: ' : 'suggested: '}</span>
      <span aria-hidden="true">{sign} </span>
      {text}
      {'\n'}
    </span>
  );
  return (
    <Code block mb="xxs" tabIndex={0} role="group" aria-label="Suggestion" pos="relative">
      {replaced.length === 0
        ? suggestion
        : [
            ...replaced.map((text, index) => line('-', text, index)),
            ...(suggestion === '' ? [] : lines.map((text, index) => line('+', text, index))),
          ]}
    </Code>
  );
}

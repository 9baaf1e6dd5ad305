import type { SarifRun } from './sarif-shape.ts';

const MAX_SNIPPET_LINES = 50;

/** Longer texts are data or bundles, and not worth the memory of an index. */
const MAX_TEXT_LENGTH = 2_000_000;

/** The text of a run's embedded artifacts, by line. */
export type ArtifactLines = {
  /** The one-based line that contains the character at the offset, if the text is known. */
  lineAt(artifactIndex: number, charOffset: number): number | undefined;
  /** The lines from start to end, if the text is known. */
  textOf(artifactIndex: number, startLine: number, endLine: number): string | undefined;
};

/** Splits each embedded artifact once, on first use. */
export function artifactLines(run: SarifRun): ArtifactLines {
  const starts = new Map<number, number[]>();
  const textAt = (index: number) => {
    const text = run.artifacts?.[index]?.contents?.text;
    return text != null && text.length <= MAX_TEXT_LENGTH ? text : undefined;
  };
  const startsOf = (index: number, text: string) => {
    const known = starts.get(index) ?? lineStarts(text);
    starts.set(index, known);
    return known;
  };

  return {
    lineAt(index, charOffset) {
      const text = textAt(index);
      if (text === undefined || charOffset < 0 || charOffset > text.length) return undefined;
      const lines = startsOf(index, text);
      let low = 0;
      for (let high = lines.length; high - low > 1; ) {
        const middle = (low + high) >> 1;
        if ((lines[middle] ?? 0) <= charOffset) low = middle;
        else high = middle;
      }
      return low + 1;
    },
    textOf(index, startLine, endLine) {
      const text = textAt(index);
      if (text === undefined) return undefined;
      const lines = startsOf(index, text);
      const start = lines[startLine - 1];
      if (start === undefined) return undefined;
      return text.slice(start, lines[Math.min(endLine, startLine + MAX_SNIPPET_LINES)] ?? text.length);
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
  return starts;
}

import { isNode, LineCounter, parseDocument, stringify } from 'yaml';

/** Settings as the YAML that a person edits; empty if there are none. */
export function toYaml(settings: object): string {
  return Object.keys(settings).length === 0 ? '' : stringify(settings);
}

/** Parses YAML; returns the syntax errors with their places, if there are any. */
export function readYaml(text: string): { value: unknown } | { faults: string[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0)
    return {
      faults: document.errors.map(({ pos, message }) => {
        const { line, col } = lines.linePos(pos[0]);
        return `line ${line}, column ${col}: ${message}`;
      }),
    };
  try {
    return { value: document.toJS({ maxAliasCount: 50 }) ?? {} };
  } catch (error) {
    return { faults: [(error as Error).message] };
  }
}

/** A fault that the server reports by its path, such as `defaults.reviews.fail_on: …`, with its line in the text of this field. */
export function placeFault(fault: string, text: string, field = 'defaults'): string {
  const [, whole = '', reason] = /^([^:]*): (.+)$/s.exec(fault) ?? [];
  if (!whole.startsWith(field) || !/^[.[]?$/.test(whole.charAt(field.length))) return fault;
  const path = whole.slice(field.length).replace(/^\./, '');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  for (let depth = keys.length; depth > 0; depth -= 1) {
    const node = document.getIn(
      keys.slice(0, depth).map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
      true,
    );
    if (isNode(node) && node.range) return `line ${lines.linePos(node.range[0]).line}: ${path}: ${reason}`;
  }
  return `${path}: ${reason}`;
}

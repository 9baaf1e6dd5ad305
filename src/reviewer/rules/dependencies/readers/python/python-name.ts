/** Normalizes the name of a Python package: case and the kind of separators make no difference. */
export function pythonName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}

/** Parses a PEP 508 requirement such as `Name[extra] >=1,<2 ; marker`; undefined for anything else, such as an option. */
export function readRequirement(
  text: string,
): { readonly name: string; readonly range: string; readonly address: string | undefined } | undefined {
  const found = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(.*)$/s.exec(text);
  if (found === null) return undefined;
  const [, name, rest] = found as unknown as [string, string, string];
  const address = /^@\s*(\S+)/.exec(rest)?.[1];
  const range =
    address ??
    rest
      .replace(/\s*;.*$/s, '')
      .replace(/^\((.*)\)$/, '$1')
      .trim();
  if (address === undefined && range !== '' && !/^[<>=!~]/.test(range)) return undefined;
  return { name: pythonName(name), range, address };
}

const names: Readonly<Record<string, string>> = {
  rule: 'Postil rules',
  model: 'Postil model',
  reported: 'Reported by events',
};

/** Who or what raised a comment, as people call it. */
export function sourceName(source: string): string {
  return names[source] ?? source.replace(/^reviewer:/, '@');
}

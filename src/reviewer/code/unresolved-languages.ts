/** Languages that people write programs in, and whose references are found by name at best. */
const names: readonly (readonly [RegExp, string])[] = [
  [/\.java$/, 'Java'],
  [/\.kts?$/, 'Kotlin'],
  [/\.scala$/, 'Scala'],
  [/\.cs$/, 'C#'],
  [/\.rs$/, 'Rust'],
  [/\.rb$/, 'Ruby'],
  [/\.php$/, 'PHP'],
  [/\.(?:c|h)$/, 'C'],
  [/\.(?:cc|cpp|cxx|hh|hpp|hxx)$/, 'C++'],
  [/\.swift$/, 'Swift'],
  [/\.dart$/, 'Dart'],
  [/\.exs?$/, 'Elixir'],
  [/\.(?:vue|svelte|astro)$/, 'components of Vue, Svelte and Astro'],
];

/** Says in which of the files nobody looks for what the change breaks elsewhere. */
export function unresolvedLanguages(files: readonly { readonly path: string }[]): string[] {
  const found = names.filter(([ending]) => files.some(({ path }) => ending.test(path)));
  if (found.length === 0) return [];
  const list = [...new Set(found.map(([, name]) => name))].join(', ');
  return [
    `What this change breaks elsewhere is not known for ${list}: only JavaScript, TypeScript, Python and Go are resolved`,
  ];
}

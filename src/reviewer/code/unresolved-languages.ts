/** Programming languages whose references are not resolved, but found by name at best. */
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
  [/\.zig$/, 'Zig'],
  [/\.nim$/, 'Nim'],
  [/\.cr$/, 'Crystal'],
  [/\.odin$/, 'Odin'],
  [/\.gleam$/, 'Gleam'],
  [/\.mli?$/, 'OCaml'],
  [/\.hs$/, 'Haskell'],
  [/\.elm$/, 'Elm'],
  [/\.resi?$/, 'ReScript'],
  [/\.[eh]rl$/, 'Erlang'],
  [/\.clj[cs]?$/, 'Clojure'],
  [/\.fsx?$/, 'F#'],
  [/\.vb$/, 'Visual Basic'],
  [/\.mm?$/, 'Objective-C'],
  [/\.groovy$/, 'Groovy'],
  [/\.lua$/, 'Lua'],
  [/\.p[lm]$/, 'Perl'],
  [/\.r$/i, 'R'],
  [/\.jl$/, 'Julia'],
  [/\.sol$/, 'Solidity'],
  [/\.d$/, 'D'],
  [/\.f(?:90|95|03|08)$/, 'Fortran'],
  [/\.(?:pas|dpr)$/, 'Pascal'],
  [/\.ad[abs]$/, 'Ada'],
  [/\.co?bl?$/, 'COBOL'],
  [/\.(?:lisp|scm|rkt)$/, 'Lisp'],
  [/\.(?:vue|svelte|astro)$/, 'components of Vue, Svelte and Astro'],
];

/** A note with the languages of these files for which code elsewhere that the change breaks is not searched; or none. */
export function unresolvedLanguages(files: readonly { readonly path: string }[]): string[] {
  const found = names.filter(([ending]) => files.some(({ path }) => ending.test(path)));
  if (found.length === 0) return [];
  const list = [...new Set(found.map(([, name]) => name))].join(', ');
  return [
    `What this change breaks elsewhere is not known for ${list}: only JavaScript, TypeScript, Python and Go are resolved`,
  ];
}

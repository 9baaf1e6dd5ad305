import type { Language } from '../language.ts';
import { builtins } from './builtins.ts';
import { packagesNamed } from './python-manifests.ts';
import { readPython } from './read-python.ts';
import { PythonResolver } from './resolve-import.ts';

export const python: Language = {
  name: 'python',
  covers: (path) => /\.pyi?$/.test(path),
  addressOf: (path) => path,
  pathspecs: ['*.py', '*.pyi'],
  isGlobal: (name) => builtins.has(name),
  hasAmbientNames: false,
  isStrict: () => true,
  reexports: (path) => /(?:^|\/)__init__\.pyi?$/.test(path),
  readFacts: readPython,
  packagesNamed,
  openResolver: (tree) => new PythonResolver(tree),
};

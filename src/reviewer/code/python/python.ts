import type { Language } from '../language.ts';
import { readPython } from './read-python.ts';
import { PythonResolver } from './resolve-import.ts';

export const python: Language = {
  name: 'python',
  covers: (path) => /\.pyi?$/.test(path),
  pathspecs: ['*.py', '*.pyi'],
  isGlobal: () => false,
  isStrict: () => true,
  readFacts: readPython,
  openResolver: (tree) => new PythonResolver(tree),
};

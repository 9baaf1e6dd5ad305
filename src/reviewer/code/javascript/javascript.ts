import type { Language } from '../language.ts';
import { readJavaScript } from './read-javascript.ts';
import { JavaScriptResolver } from './resolve-import.ts';

const endings = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'];

export const javascript: Language = {
  name: 'javascript',
  covers: (path) => /\.[cm]?[jt]sx?$/.test(path),
  pathspecs: endings.map((ending) => `*.${ending}`),
  isGlobal: (name) =>
    name in globalThis || /^(?:window|document|self|define|require|module|exports)$/.test(name),
  isStrict: (path) => /\.[cm]?tsx?$/.test(path),
  readFacts: readJavaScript,
  openResolver: (tree) => new JavaScriptResolver(tree),
};

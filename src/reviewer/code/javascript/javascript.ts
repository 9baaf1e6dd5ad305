import type { Language } from '../language.ts';
import { packagesNamed } from './package-manifests.ts';
import { readJavaScript } from './read-javascript.ts';
import { JavaScriptResolver } from './resolve-import.ts';

const endings = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'];

/** Global types of TypeScript itself. */
const types = new Set(
  'Awaited Capitalize ConstructorParameters Disposable AsyncDisposable Exclude Extract InstanceType Lowercase NoInfer NonNullable Omit OmitThisParameter Parameters Partial Pick PropertyKey Readonly Record Required ReturnType ThisParameterType ThisType Uncapitalize Uppercase'.split(
    ' ',
  ),
);

export const javascript: Language = {
  name: 'javascript',
  covers: (path) => /\.[cm]?[jt]sx?$/.test(path),
  addressOf: (path) => path,
  assets:
    /\.(?:css|scss|sass|less|styl|json|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|otf|mp[34]|webm|wav|wasm|txt|mdx?|html|vue|svelte|graphql|gql|ya?ml)$/,
  pathspecs: endings.map((ending) => `*.${ending}`),
  isGlobal: (name) =>
    name in globalThis ||
    types.has(name) ||
    /^(?:window|document|self|define|require|module|exports)$/.test(name),
  hasAmbientNames: true,
  isStrict: (path) => /\.[cm]?tsx?$/.test(path),
  reexports: () => true,
  readFacts: readJavaScript,
  packagesNamed,
  openResolver: (tree) => new JavaScriptResolver(tree),
};

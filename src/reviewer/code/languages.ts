import { go } from './go/go.ts';
import { javascript } from './javascript/javascript.ts';
import type { Language } from './language.ts';
import { python } from './python/python.ts';

/** The languages whose references are resolved. */
export const languages: readonly Language[] = [javascript, python, go];

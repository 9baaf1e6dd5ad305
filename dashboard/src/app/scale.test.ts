import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fontWeights } from './scale.ts';

const sources = path.dirname(import.meta.dirname);

async function linesOf(pattern: string): Promise<{ place: string; line: string }[]> {
  const lines: { place: string; line: string }[] = [];
  for await (const file of glob(pattern, { cwd: sources })) {
    const text = await readFile(path.join(sources, file), 'utf8');
    for (const [index, line] of text.split('\n').entries())
      lines.push({ place: `${file}:${index + 1}: ${line.trim()}`, line });
  }
  assert.ok(lines.length > 0, `no file matches ${pattern}`);
  return lines;
}

/** The lines in which the property has another value than the allowed ones. */
async function offending(pattern: string, property: RegExp, allowed: RegExp): Promise<string[]> {
  const lines = await linesOf(pattern);
  return lines
    .filter(({ line }) => [...line.matchAll(property)].some(([, value]) => !allowed.test(value!.trim())))
    .map(({ place }) => place);
}

test('stylesheets take sizes, weights and line heights of text from the scale', async () => {
  const property = /(?:font-size|font-weight|line-height|font):([^;]+)/g;
  assert.deepEqual(await offending('**/*.css', property, /^var\(--mantine-[a-z0-9-]+\)$/), []);
});

test('stylesheets keep distances in multiples of 4 pixels', async () => {
  const property = /(?:margin|padding|gap)[a-z-]*:([^;]+)/g;
  const step = '(0|-1px|4px|8px|12px|16px|24px|32px)';
  assert.deepEqual(await offending('**/*.css', property, new RegExp(`^${step}( ${step})*$`)), []);
});

test('components take sizes and weights of text from the scale', async () => {
  const weights = Object.values(fontWeights).join('|');
  const pattern = '**/*.tsx';
  assert.deepEqual(await offending(pattern, /\b(?:fz|lh)=(\S+)/g, /^"(xs|sm|md|lg|xl)"/), []);
  assert.deepEqual(await offending(pattern, /\bfw=\{([^}]+)\}/g, new RegExp(`^(${weights})$`)), []);
  assert.deepEqual(await offending(pattern, /\b(fontSize|fontWeight|lineHeight)\s*:/g, /^$/), []);
});

test('components take distances from the scale', async () => {
  const property = /\b(?:[mp][trblxy]?|gap|spacing|verticalSpacing|horizontalSpacing)=(\{[\d.]+\}|"[^"]*")/g;
  assert.deepEqual(await offending('**/*.tsx', property, /^(\{0\}|"(xxs|xs|sm|md|lg|xl|auto)")$/), []);
});

import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { findCredentials } from '../src/redaction/find/find-credentials.ts';
import { redactCredentials } from '../src/redaction/redact-credentials.ts';

/** A sample from a scanner's test data: a text, and the secrets that the scanner reports in it, possibly in several parts. */
interface Sample {
  readonly rule: string;
  readonly text: string;
  readonly secrets: readonly string[];
}

/** Shorter pieces of a joined secret, such as the `:` between id and key, are meaningless. */
const MIN_PART_LENGTH = 4;
const SHOWN_AROUND = 40;

const command = new Command('npm run bench:redaction-recall --')
  .description(
    'Measures the redaction on samples and texts of others. In the folder, <set>.json is a list of { rule, text, ' +
      'secrets } and <set>.ndjson has one { "text" } a line, from real code and prose, where nothing should change.',
  )
  .argument('<folder>')
  .option('--show', 'print what was missed and what was changed')
  .parse();
const folder = command.args[0] as string;
const isShown = Boolean(command.opts<{ show?: boolean }>().show);

for (const file of readdirSync(folder).sort()) {
  if (file.endsWith('.json')) measureRecall(join(folder, file));
  if (file.endsWith('.ndjson')) await measureChanges(join(folder, file));
}

function measureRecall(file: string): void {
  const samples = JSON.parse(readFileSync(file, 'utf8')) as Sample[];
  const count = { samples: 0, recognised: 0, secrets: 0, touched: 0, gone: 0 };
  for (const { rule, text, secrets } of samples) {
    const redacted = redactCredentials(text);
    const before = { ...count };
    for (const secret of secrets) {
      const parts = partsOf(secret.trim(), text);
      if (parts.length === 0) continue;
      const left = parts.filter((part) => redacted.includes(part));
      count.secrets += 1;
      if (left.length < parts.length) count.touched += 1;
      else if (isShown) print(`  missed ${rule}: ${JSON.stringify(redacted.slice(0, 200))}`);
      if (left.length === 0) count.gone += 1;
    }
    if (count.secrets > before.secrets) count.samples += 1;
    if (count.touched > before.touched) count.recognised += 1;
  }
  print(
    `${basename(file)}: recognised in ${share(count.recognised, count.samples)} samples; ` +
      `of ${share(count.touched, count.secrets)} secrets a part is gone, of ${share(count.gone, count.secrets)} all`,
  );
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} % of ${whole}`;
}

/** A scanner may join separate parts, such as an id and its key; returns the pieces that occur in the text. */
function partsOf(secret: string, text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < secret.length; ) {
    let end = secret.length;
    while (end - start >= MIN_PART_LENGTH && !text.includes(secret.slice(start, end))) end -= 1;
    if (end - start >= MIN_PART_LENGTH) parts.push(secret.slice(start, end));
    start = end - start >= MIN_PART_LENGTH ? end : start + 1;
  }
  return parts;
}

async function measureChanges(file: string): Promise<void> {
  let texts = 0;
  let changed = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { text } = JSON.parse(line) as { text: string };
    const found = findCredentials(text);
    texts += 1;
    if (found.length === 0) continue;
    changed += 1;
    if (!isShown) continue;
    for (const { start, end, ruleId } of found)
      print(
        `  ${ruleId}: ${JSON.stringify(text.slice(Math.max(0, start - SHOWN_AROUND), end + SHOWN_AROUND))}`,
      );
  }
  print(
    `${basename(file)}: ${changed} of ${texts} texts changed; which of them without cause is for a reader to say`,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

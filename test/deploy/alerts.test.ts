import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { parse as parseYaml } from 'yaml';
import { MetricsRegistry } from '../../src/lib/metrics.ts';
import { startTestApp } from '../harness.ts';
import { createTestDatabase } from '../postgres.ts';
import { removeFolder } from '../remove-folder.ts';
import { chartFolder } from './render-chart.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description?: string };
}

const file = parseYaml(await readFile(path.join(chartFolder, 'alerts.yaml'), 'utf8'));
const rules: Rule[] = file.groups.flatMap(({ rules }: { rules: Rule[] }) => rules);
const folder = await mkdtemp(path.join(tmpdir(), 'postil-alerts-'));
const { database, drop } = await createTestDatabase();
after(async () => {
  await drop();
  await removeFolder(folder);
});

/** Matches a metric and, in braces after it, its labels with their values. */
const selector = /\b(postil_[a-z_]+)(?:\{([^}]*)\})?/g;
const label = /(\w+)\s*(?:=|!=|=~|!~)\s*"([^"]*)"/g;

test('alerts are about metrics, labels, schedules and units that a server has', async (t) => {
  const registered = t.mock.method(MetricsRegistry.prototype, 'registerMetric');
  const { app, operator } = await startTestApp({
    database: { ...database, checkHosts: async () => [] },
    settings: { archive: { folder, days: 7 }, dataDirectory: folder },
  });
  const { text } = await operator('GET', '/metrics');
  const exposed = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
  const labels = new Map(
    registered.mock.calls.map(({ arguments: [metric] }) => {
      const { name, labelNames } = metric as unknown as { name: string; labelNames: string[] };
      return [name, labelNames];
    }),
  );
  // Prometheus renames labels that conflict with its own.
  const labelsOf = (name: string) =>
    labels.get(name)!.map((one) => (['job', 'instance'].includes(one) ? `exported_${one}` : one));
  const known: Record<string, readonly string[]> = {
    exported_job: app.schedules.map(({ name }) => name),
    unit: app.units.map(({ name }) => name),
    state: ['waiting', 'running', 'failed'],
    outcome: ['succeeded', 'failed'],
    reason: ['unreachable', 'busy', 'overloaded', 'full', 'read_only'],
    limit: ['time', 'memory', 'crashed'],
  };
  for (const { alert, expr } of rules) {
    const selectors = [...expr.matchAll(selector)];
    assert.ok(selectors.length > 0, alert);
    for (const [, name, given = ''] of selectors) {
      assert.ok(exposed.has(name!), `${alert}: ${name} is not exposed`);
      for (const [, by, value] of given.matchAll(label)) {
        assert.ok(labelsOf(name!).includes(by!), `${alert}: ${name} has no label ${by}`);
        assert.ok(known[by!]?.includes(value!), `${alert}: nothing has ${by}="${value}"`);
      }
    }
    const all = new Set(selectors.flatMap(([, name]) => labelsOf(name!)));
    for (const [, names] of expr.matchAll(/\bby \(([^)]*)\)/g))
      for (const name of names!.split(',')) assert.ok(all.has(name.trim()), `${alert}: by (${name})`);
  }
});

test('an alert is a complete rule with a unique name, and its texts use only labels that it has', () => {
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const { alert, expr, labels, annotations, ...rest } of rules) {
    assert.match(alert, /^Postil[A-Za-z]+$/);
    assert.deepEqual(
      Object.keys(rest).filter((name) => name !== 'for'),
      [],
    );
    assert.match(rest.for ?? '1m', /^\d+[mh]$/);
    assert.ok(['critical', 'warning'].includes(labels.severity), alert);
    assert.ok(annotations.summary.length > 0, alert);
    assert.equal(expr.split('(').length, expr.split(')').length, alert);
    for (const [, name] of annotations.summary.matchAll(/\$labels\.(\w+)/g))
      assert.match(expr, new RegExp(`by \\(${name}\\)|^postil_${name}_`), `${alert}: ${name}`);
  }
});

test('the guide has every alert, and no other', async () => {
  const guide = await readFile(path.join(import.meta.dirname, '../../docs/operating.md'), 'utf8');
  const named = [...guide.matchAll(/^\| `(Postil\w+)`/gm)].map(([, name]) => name);
  assert.deepEqual(
    named,
    rules.map(({ alert }) => alert),
  );
});

import { createTwoFilesPatch } from 'diff';
import { seededRandom } from '../../src/lib/seeded-random.ts';

/** A made-up change: each file before and after. A file without `before` is new. */
export interface SampleChange {
  readonly title: string;
  readonly files: readonly { readonly path: string; readonly before?: string; readonly after: string }[];
}

/** Creates a value that looks like a key of a payment provider; composed, so that no scanner finds it in this file. */
function madeUpKey(): string {
  const random = seededRandom(11);
  const characters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
  return `sk_${'live'}_${Array.from({ length: 32 }, () => random.pick([...characters])).join('')}`;
}

const totals = `import type { CartLine, Discount } from './cart.ts';

/** The sum of a cart in cents, before shipping. */
export function sumOf(lines: readonly CartLine[]): number {
  return lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}
`;

const totalsWithDiscount = `import type { CartLine, Discount } from './cart.ts';

/** The sum of a cart in cents, before shipping. */
export function sumOf(lines: readonly CartLine[]): number {
  return lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}

/** What is left to pay after a discount, in cents. */
export function afterDiscount(lines: readonly CartLine[], discount: Discount): number {
  const rate = Number.parseFloat(discount.rate);
  if (rate === NaN) throw new Error(\`The discount \${discount.code} has no rate\`);
  const left = Math.round(sumOf(lines) * (1 - rate));
  return left < 0 ? 0 : left;
}

/** Applies a discount and records who used it. */
export async function redeem(discount: Discount, record: (code: string) => Promise<void>): Promise<boolean> {
  try {
    await record(discount.code);
    return true;
  } catch (error) {
    throw new Error(\`\${discount.code} could not be recorded\`, { cause: error });
  } finally {
    return false;
  }
}
`;

const client = `/** Talks to the payment provider. */
export class PaymentClient {
  readonly #url = 'https://payments.northwind.test/v2';

  async capture(orderId: string, cents: number): Promise<string> {
    const response = await fetch(\`\${this.#url}/captures\`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ order: orderId, amount: cents }),
    });
    if (!response.ok) throw new Error(\`The provider refused order \${orderId}: \${response.status}\`);
    return ((await response.json()) as { id: string }).id;
  }
}
`;

const importer = `"""Reads orders of the old shop."""

import csv
from datetime import datetime


def read_orders(path, seen=[]):
    """All orders of a file that were not read before."""
    orders = []
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row["id"] in seen:
                continue
            seen.append(row["id"])
            orders.append(
                {
                    "id": row["id"],
                    "total": int(row["total"]),
                    "paid_at": datetime.fromisoformat(row["paid_at"]),
                    "total": row["currency"],
                }
            )
    return orders


def describe(order):
    return "%s: %d cents, paid %s" % (order["id"], order["total"])
`;

const deploy = `#!/bin/sh
set -eu

target="$1"
npm ci
npm run build
rsync -a build/ "$target/next/"
`;

const deployWithCleanup = `#!/bin/sh
set -eu

target="$1"
npm ci
npm run build
rm -rf "$RELEASES"/*
rsync -a build/ "$target/next/"
chmod -R 777 "$target/next"
`;

const workflow = `name: release
on:
  push:
    tags: ['v*']
jobs:
  release:
    needs: [checks]
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci && npm test
      - run: npm publish
`;

const health = `import type { Server } from '../../server.ts';

/** Answers load balancers; says nothing about the rest. */
export function health(server: Server): void {
  server.get('/health', () => ({ status: 200, body: 'ok' }));
}
`;

const healthWithReadiness = `import type { Server } from '../../server.ts';

/** Answers load balancers; says nothing about the rest. */
export function health(server: Server, isReady: () => Promise<boolean>): void {
  server.get('/health', () => ({ status: 200, body: 'ok' }));
  server.get('/ready', async () => ((await isReady()) ? { status: 200, body: 'ok' } : { status: 503, body: '' }));
}
`;

/** Changes: most with faults that rules find, one with nothing to find. */
export const sampleChanges: readonly SampleChange[] = [
  {
    title: 'Discounts',
    files: [{ path: 'src/cart/totals.ts', before: totals, after: totalsWithDiscount }],
  },
  {
    title: 'Payments with the key of the shop',
    files: [
      {
        path: 'src/payments/client.ts',
        before: client,
        after: client.replace(
          "'content-type': 'application/json' }",
          `'content-type': 'application/json', authorization: 'Bearer ${madeUpKey()}' }`,
        ),
      },
    ],
  },
  { title: 'Import orders of the old shop', files: [{ path: 'jobs/import_orders.py', after: importer }] },
  {
    title: 'Release from tags',
    files: [
      { path: 'scripts/deploy.sh', before: deploy, after: deployWithCleanup },
      { path: '.github/workflows/release.yml', after: workflow },
    ],
  },
  {
    title: 'Readiness for load balancers',
    files: [{ path: 'src/http/health.ts', before: health, after: healthWithReadiness }],
  },
];

/** The request to review a change: its diff, and the new contents. */
export function asDiff({ files }: SampleChange): {
  diff: string;
  files: { path: string; content: string }[];
} {
  const patches = files.map(({ path, before, after }) =>
    createTwoFilesPatch(
      before === undefined ? '/dev/null' : `a/${path}`,
      `b/${path}`,
      before ?? '',
      after,
    ).replace(/^=+\n/, ''),
  );
  return { diff: patches.join(''), files: files.map(({ path, after }) => ({ path, content: after })) };
}

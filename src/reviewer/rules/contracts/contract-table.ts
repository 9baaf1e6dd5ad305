import type { RuleTable } from '../rule-facts.ts';

const integration = 'data_integrity_and_integration';
const why =
  'Existing clients that rely on the previous description can fail. Keep supporting the old form until nobody uses it.';

/** The findings about interface descriptions, by kind. */
export const contractTable = {
  openapi: ['major', integration, 'Breaking API change', why],
  graphql: ['major', integration, 'Breaking schema change', why],
  protobuf: ['major', integration, 'Breaking Protocol Buffers change', why],
} as const satisfies RuleTable;

export type ContractKind = keyof typeof contractTable;

/** An example in its first version, and two versions that follow it: one that breaks clients, and one that does not. */
export interface ContractExample {
  readonly path: string;
  readonly before: string;
  readonly fails: string;
  readonly passes: string;
}

const openapi = (schema: string) =>
  `openapi: 3.1.0\ninfo: { title: Shop, version: 1.0.0 }\npaths:\n  /orders:\n    get:\n      responses:\n        "200":\n          description: All orders\n          content:\n            application/json:\n              schema:\n                type: object\n                required: [total]\n                properties:\n${schema}`;
const property = (name: string, type: string) => `                  ${name}: { type: ${type} }\n`;

export const contractExamples: Readonly<Record<ContractKind, ContractExample>> = {
  openapi: {
    path: 'openapi.yaml',
    before: openapi(property('total', 'integer') + property('note', 'string')),
    fails: openapi(property('total', 'integer')),
    passes: openapi(property('total', 'integer') + property('note', 'string') + property('state', 'string')),
  },
  graphql: {
    path: 'schema.graphql',
    before: 'type Query {\n  order(id: ID!): Order\n}\n\ntype Order {\n  total: Int!\n  note: String\n}\n',
    fails:
      'type Query {\n  order(id: ID!, shop: ID!): Order\n}\n\ntype Order {\n  total: Int!\n  note: String\n}\n',
    passes:
      'type Query {\n  order(id: ID!, shop: ID): Order\n}\n\ntype Order {\n  total: Int!\n  note: String\n}\n',
  },
  protobuf: {
    path: 'shop/v1/order.proto',
    before:
      'syntax = "proto3";\npackage shop.v1;\n\nmessage Order {\n  int64 total = 1;\n  string note = 2;\n}\n',
    fails: 'syntax = "proto3";\npackage shop.v1;\n\nmessage Order {\n  int64 total = 1;\n}\n',
    passes:
      'syntax = "proto3";\npackage shop.v1;\n\nmessage Order {\n  reserved 2;\n  reserved "note";\n  int64 total = 1;\n}\n',
  },
};

/** Learnings that reviewers of the company wrote, with place and time. */
export const learningTexts: readonly {
  readonly learning: string;
  readonly repository: string;
  readonly author: string;
  /** How many days before the end of the story. */
  readonly day: number;
  readonly file?: string;
}[] = [
  {
    learning: 'Money is a whole number of cents; never use floating point for prices.',
    repository: 'storefront',
    author: 'mara.lindqvist',
    day: 168,
  },
  {
    learning: 'Retry outbound calls at most three times, with an idempotency key that names the attempt.',
    repository: 'storefront',
    author: 'dmitri.kovacs',
    day: 160,
    file: 'src/checkout/client.ts',
  },
  {
    learning: 'Pagination is by cursor; lists that end silently after a number of rows mislead support.',
    repository: 'storefront',
    author: 'chiara.rossi',
    day: 151,
  },
  {
    learning: 'Every query on orders and bookings filters by tenant first.',
    repository: 'storefront',
    author: 'mara.lindqvist',
    day: 149,
  },
  {
    learning: 'Log the request id, never the request body.',
    repository: 'storefront',
    author: 'kenji.ito',
    day: 133,
  },
  {
    learning: 'Kafka consumers must be idempotent, and limits are checked in the transaction that books.',
    repository: 'ledger',
    author: 'dmitri.kovacs',
    day: 158,
  },
  {
    learning: 'Migrations must work with the version that is still running.',
    repository: 'ledger',
    author: 'sven.larsen',
    day: 120,
    file: 'migrations/0001_bookings.sql',
  },
  {
    learning: 'Never build SQL from strings; use parameters, even in scripts.',
    repository: 'ledger',
    author: 'farah.haddad',
    day: 117,
  },
  {
    learning: 'Tests name the behaviour that they protect, not the function that they call.',
    repository: 'ledger',
    author: 'ines.moreau',
    day: 96,
  },
  {
    learning: 'Every goroutine has an owner that waits for it.',
    repository: 'gateway',
    author: 'goran.vogel',
    day: 144,
  },
  {
    learning: 'Timeouts are explicit on every network call.',
    repository: 'gateway',
    author: 'vera.jansen',
    day: 110,
    file: 'internal/proxy/proxy.go',
  },
  {
    learning: 'Images are pinned by digest; a tag may move.',
    repository: 'gateway',
    author: 'rosa.urban',
    day: 88,
  },
  {
    learning: 'Every network call has an explicit timeout.',
    repository: 'gateway',
    author: 'bruno.dahl',
    day: 41,
  },
  {
    learning: 'Feature flags are read once per request, not inside of loops.',
    repository: 'catalog',
    author: 'hana.novak',
    day: 102,
  },
  {
    learning: 'Cache keys contain the version of the serialized shape.',
    repository: 'catalog',
    author: 'tara.okafor',
    day: 71,
  },
  {
    learning: 'Screens must work offline for what was opened last.',
    repository: 'mobile',
    author: 'mateo.garcia',
    day: 93,
  },
  {
    learning: 'Terraform modules pin the versions of their providers.',
    repository: 'infrastructure',
    author: 'wanda.zeman',
    day: 77,
  },
  {
    learning: 'Error messages tell the customer what to do next.',
    repository: 'storefront',
    author: 'elif.yilmaz',
    day: 3,
  },
  {
    learning: 'Refunds never exceed what is left of the order.',
    repository: 'ledger',
    author: 'lucia.costa',
    day: 1,
  },
  {
    learning: 'Never retry outbound calls, not even with an idempotency key.',
    repository: 'storefront',
    author: 'jonas.berg',
    day: 20,
  },
];

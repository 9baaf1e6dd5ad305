/** Timeouts for tests: a busy machine must make tests slow, not fail, so only a test that hangs reaches them. */
export const patience = {
  maxWaitMs: 120_000,
  maxConnectMs: 120_000,
  maxLossMs: 120_000,
  timeouts: { lockMs: 120_000, statementMs: 120_000, idleInTransactionMs: 120_000 },
  probing: { afterMs: 120_000, maxMs: 120_000 },
};

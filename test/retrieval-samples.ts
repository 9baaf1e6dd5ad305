/** A Learning as teams write it, and a query of a review for it, in other words or with code. */
export interface RetrievalSample {
  readonly learning: string;
  readonly query: string;
  readonly isCode?: true;
}

export const retrievalSamples: readonly RetrievalSample[] = [
  {
    learning: 'Always close database connections in a finally block.',
    query: 'the function leaves its handle to Postgres open when an exception is thrown',
  },
  {
    learning: 'Use parameterized statements; never build SQL by joining strings.',
    query: 'const rows = await db.query("SELECT * FROM users WHERE name = \'" + name + "\'");',
    isCode: true,
  },
  {
    learning: 'Do not log personal data such as email addresses or phone numbers.',
    query: 'the debug output prints what customers entered in their profile',
  },
  {
    learning: 'Public functions need a doc comment that says what they promise.',
    query: 'this exported helper has no description of its behaviour',
  },
  {
    learning: 'Prefer early returns over deeply nested conditions.',
    query: 'four levels of if statements inside each other',
  },
  {
    learning: 'Dates are stored and compared in UTC; convert to local time only for display.',
    query: 'the timestamp is saved with the time zone of the server',
  },
  {
    learning: 'Money amounts are integers in cents, never floating point numbers.',
    query: 'const total: number = price * 1.19; // euros',
    isCode: true,
  },
  {
    learning: 'Every HTTP call to another service needs a timeout.',
    query: 'const response = await fetch(paymentUrl, { method: "POST", body });',
    isCode: true,
  },
  {
    learning: 'Retry failed requests with exponential backoff and jitter.',
    query: 'when the remote side is busy we immediately call it again in a loop',
  },
  {
    learning: 'Feature flags are removed within a month after full rollout.',
    query: 'an old toggle that is switched on for everybody is still in the code',
  },
  {
    learning: 'Tests must not depend on the order in which they run.',
    query: 'this spec only passes when the one before it created the user',
  },
  {
    learning: 'Do not sleep in tests; wait for a condition instead.',
    query: 'await new Promise((resolve) => setTimeout(resolve, 3000)); expect(done).toBe(true);',
    isCode: true,
  },
  {
    learning: 'Migrations must be backward compatible with the previous release.',
    query: 'dropping the column breaks servers that still run yesterday’s version',
  },
  {
    learning: 'Use feature-based folders instead of grouping files by technical type.',
    query: 'where should the new controllers and services directories go',
  },
  {
    learning: 'React components should not fetch data directly; use the query hooks.',
    query: 'useEffect(() => { axios.get("/api/orders").then((r) => setOrders(r.data)); }, []);',
    isCode: true,
  },
  {
    learning: 'Buttons that only show an icon need an accessible label.',
    query: '<button onClick={close}><XIcon /></button>',
    isCode: true,
  },
  {
    learning: 'User-visible strings go through the translation catalogue.',
    query: 'the German customers see an English error message that is hard coded',
  },
  {
    learning: 'Avoid any in TypeScript; use unknown and narrow it.',
    query: 'function parse(input: any): any { return input.data; }',
    isCode: true,
  },
  {
    learning: 'Environment variables are read in one settings module only.',
    query: 'const host = process.env.SMTP_HOST ?? "localhost";',
    isCode: true,
  },
  {
    learning: 'Passwords are hashed with argon2id, never with plain SHA or MD5.',
    query: 'crypto.createHash("md5").update(password).digest("hex")',
    isCode: true,
  },
  {
    learning: 'Check authorization on the server for every action, not only in the user interface.',
    query: 'the admin menu is hidden but anyone can call the endpoint',
  },
  {
    learning: 'Background jobs must be idempotent because they may run twice.',
    query: 'if the worker is restarted the invoice is sent a second time',
  },
  {
    learning: 'Never swallow exceptions silently; handle them or let them propagate.',
    query: 'try { save(order); } catch (e) { }',
    isCode: true,
  },
  {
    learning: 'Log messages are structured JSON with a request id.',
    query: 'console output without any way to correlate lines of one call',
  },
  {
    learning: 'Keep pull requests small: one purpose each.',
    query: 'this change mixes a refactoring with two new features',
  },
  {
    learning: 'List endpoints are always paginated with a cursor.',
    query: 'GET /customers returns the entire table in one response',
  },
  {
    learning: 'Cache entries need an expiry and a clear owner that invalidates them.',
    query: 'values stay in Redis forever and become stale',
  },
  {
    learning: 'Go errors are wrapped with %w so that callers can inspect them.',
    query: 'return fmt.Errorf("could not open config: %v", err)',
    isCode: true,
  },
  {
    learning: 'In Python use pathlib instead of os.path for file system work.',
    query: 'config = os.path.join(os.path.dirname(__file__), "settings.toml")',
    isCode: true,
  },
  {
    learning: 'Mutable default arguments are forbidden in Python functions.',
    query: 'def add(item, items=[]): items.append(item); return items',
    isCode: true,
  },
  {
    learning: 'Kubernetes containers declare memory and CPU limits.',
    query: 'the deployment manifest lets a pod take all resources of the node',
  },
  {
    learning: 'Docker images run as a non-root user.',
    query: 'FROM node:24\nCOPY . .\nCMD ["node", "server.js"]',
    isCode: true,
  },
  {
    learning: 'Pin the versions of third-party GitHub Actions to a commit hash.',
    query: 'uses: some/deploy-action@main',
    isCode: true,
  },
  {
    learning: 'Secrets come from the vault, never from the repository.',
    query: 'an access token was committed together with the configuration file',
  },
  {
    learning: 'Names of booleans start with is, has or can.',
    query: 'what should a variable that holds true or false be called',
  },
  {
    learning: 'Do not use abbreviations in identifiers.',
    query: 'const usrMgr = new UsrMgr(cfg);',
    isCode: true,
  },
  {
    learning: 'Public API responses never expose internal database ids.',
    query: 'the JSON contains the primary key of the row',
  },
  {
    learning: 'Uploads are scanned and limited in size before they are stored.',
    query: 'any file a visitor sends is written straight to disk',
  },
  {
    learning: 'Use constant-time comparison for tokens and signatures.',
    query: 'if (request.headers["x-signature"] === expectedSignature) accept();',
    isCode: true,
  },
  {
    learning: 'Avoid N+1 queries: load related records in one statement.',
    query: 'for each order the loop asks the database for its customer',
  },
  {
    learning: 'Shared state between goroutines is protected by a mutex or passed over channels.',
    query: 'two concurrent routines write the same map without synchronisation',
  },
  {
    learning: 'CSS colours come from the design tokens, not from literal values.',
    query: '.header { color: #ff8800; background: #fff; }',
    isCode: true,
  },
  {
    learning: 'Deprecated functions stay for two releases and name their replacement.',
    query: 'can we simply delete the old method that customers still call',
  },
  {
    learning: 'Webhooks must verify the signature of the sender before anything else.',
    query: 'the callback trusts whatever is posted to it',
  },
  {
    learning: 'Long loops over large collections are streamed instead of loaded into memory.',
    query: 'reading a ten gigabyte export with readFileSync',
  },
  {
    learning: 'Regular expressions on user input must not backtrack catastrophically.',
    query: 'const pattern = /^(a+)+$/; pattern.test(req.query.q);',
    isCode: true,
  },
  {
    learning: 'Prefer composition over inheritance for domain objects.',
    query: 'a class hierarchy five levels deep',
  },
  {
    learning: 'Metrics names use snake case and end with their unit.',
    query: 'how do we call the Prometheus histogram for request duration',
  },
];

import type { FlowFunction } from '../form.ts';
import type { LanguageTable, Sink } from './model.ts';

const of = (module: string, names: string): string[] => names.split(' ').map((name) => `${module}.${name}`);
const files = (names: string) =>
  ['fs', 'fs/promises', 'fs.promises', 'fs-extra', 'graceful-fs'].flatMap((module) => of(module, names));

const sinks: readonly Sink[] = [
  {
    rule: 'command-injection',
    calls: [
      ...of('child_process', 'exec execSync'),
      ...of('shelljs', 'exec'),
      ...of('node-pty', 'spawn'),
      ...of('execa', 'shell shellSync command commandSync execaCommand execaCommandSync'),
      'shell-exec',
      ...of('cross-spawn', 'exec'),
      ...of('child-process-promise', 'exec'),
      ...of('child_process_promise', 'exec'),
      'sync-exec',
      'execSync',
      'execsync',
      'npm-run.exec',
      ...of('mz/child_process', 'exec'),
      ...of('promisify-child-process', 'exec'),
      ...of('async-child-process', 'execAsync'),
      'exec-sync',
      'execa-wrap',
    ],
    argument: 0,
    from: 'composed',
  },
  {
    rule: 'command-injection',
    calls: of('child_process', 'spawn spawnSync execFile execFileSync'),
    argument: 0,
  },
  {
    rule: 'command-injection',
    calls: [...of('child_process', 'spawn spawnSync execFile execFileSync'), 'cross-spawn', 'execa'],
    argument: 'all',
    needs: ['shell'],
    from: 'anybody',
  },
  {
    rule: 'code-injection',
    calls: [
      'eval',
      'execScript',
      ...of('vm', 'runInContext runInNewContext runInThisContext'),
      'static-eval',
      'notevil',
      'safe-eval',
      'safer-eval',
    ],
    argument: 0,
    from: 'composed',
  },
  { rule: 'code-injection', calls: ['Function'], argument: 'all', from: 'composed' },
  {
    rule: 'code-injection',
    calls: ['eval', ...of('vm', 'runInContext runInNewContext runInThisContext')],
    argument: 0,
    from: 'anybody',
    needs: ['whole'],
  },
  {
    rule: 'sql-injection',
    calls: [
      '.query',
      '.execute',
      '.raw',
      '.$queryRawUnsafe',
      '.$executeRawUnsafe',
      '.exec',
      '.prepare',
      '.all',
      '.run',
      '.get',
      '.each',
      '.whereRaw',
      '.orderByRaw',
      '.havingRaw',
      '.one',
      '.many',
      '.any',
      '.none',
      '.oneOrNone',
      '.manyOrNone',
      '.simpleQuery',
    ],
    argument: 0,
    needs: ['sql', 'composed', 'object'],
    from: 'composed',
  },
  { rule: 'nosql-injection', calls: ['.$where'], argument: 0, from: 'composed' },
  {
    rule: 'nosql-injection',
    calls: [
      '.find',
      '.findOne',
      '.findOneAndUpdate',
      '.findOneAndDelete',
      '.deleteMany',
      '.deleteOne',
      '.updateOne',
      '.updateMany',
      '.remove',
      '.count',
      '.countDocuments',
    ],
    argument: 0,
    needs: ['object', 'where'],
  },
  {
    rule: 'path-traversal',
    calls: files(
      'readFile readFileSync createReadStream createWriteStream writeFile writeFileSync appendFile appendFileSync unlink unlinkSync rmdir rmdirSync rm rmSync open openSync readdir readdirSync remove removeSync outputFile outputFileSync readJson readJsonSync mkdir mkdirSync readlink rename renameSync',
    ),
    argument: 0,
  },
  {
    rule: 'path-traversal',
    calls: ['@response.sendFile', '@response.sendfile', '@response.download', '.sendFile', '.sendfile'],
    argument: 0,
    needs: ['rootless'],
  },
  {
    rule: 'request-forgery',
    calls: [
      'fetch',
      'node-fetch',
      'cross-fetch',
      'undici.request',
      'undici.fetch',
      'got',
      ...of('got', 'get post put stream'),
      'axios',
      ...of('axios', 'get post put delete head patch request'),
      'request',
      ...of('request', 'get post put head'),
      'request-promise',
      'needle',
      ...of('needle', 'get post'),
      ...of('superagent', 'get post put'),
      ...of('http', 'get request'),
      ...of('https', 'get request'),
      'phin',
      'bent',
    ],
    argument: 0,
    needs: ['start', 'address'],
  },
  {
    rule: 'open-redirect',
    calls: ['@response.redirect', '@context.redirect', '@reply.redirect'],
    argument: 'all',
    needs: ['start'],
  },
  {
    rule: 'html-injection',
    calls: ['@response.send', '@response.write', '@response.end', '@reply.send'],
    argument: 0,
    needs: ['html'],
    from: 'strangers',
  },
  {
    rule: 'html-injection',
    calls: ['document.write', 'document.writeln', '.insertAdjacentHTML', '.html'],
    argument: 'all',
  },
  {
    rule: 'template-injection',
    calls: [
      ...of('ejs', 'render compile'),
      ...of('pug', 'render compile'),
      ...of('jade', 'render compile'),
      ...of('handlebars', 'compile precompile'),
      ...of('lodash', 'template'),
      ...of('underscore', 'template'),
      '_.template',
      ...of('nunjucks', 'renderString compile'),
      ...of('mustache', 'render'),
      ...of('doT', 'template compile'),
      ...of('swig', 'render compile'),
    ],
    argument: 0,
  },
  {
    rule: 'deserialization',
    calls: [
      ...of('node-serialize', 'unserialize'),
      ...of('serialize-to-js', 'deserialize'),
      ...of('funcster', 'deepDeserialize'),
      ...of('v8', 'deserialize'),
      ...of('cryo', 'parse'),
    ],
    argument: 0,
  },
  { rule: 'slow-regex', calls: ['RegExp'], argument: 0 },
];

/** The members of a request that hold untrusted values; the others are set by the program. */
const requestParts =
  'query|body|params|headers|cookies|signedCookies|url|originalUrl|path|hostname|host|rawBody|files|file|protocol|param\\(\\)|get\\(\\)|header\\(\\)|json\\(\\)|text\\(\\)|formData\\(\\)|nextUrl|payload|queryStringParameters|pathParameters|multiValueQueryStringParameters|rawHeaders|subdomains|referrer|querystring|search|href|rawQuery';

const isRequestType =
  /^(?:\w+\.)?(?:Express)?(?:Request|NextRequest|FastifyRequest|IncomingMessage|NextApiRequest|HttpRequest|Http2ServerRequest|APIGatewayProxyEvent\w*|AuthenticatedRequest|ExpressRequest|Req)(?:<.*>)?$/s;

function parameter(
  { parameters, decorators, name }: FlowFunction,
  index: number,
): ReturnType<LanguageTable['parameter']> {
  const { target, type, decorators: own } = parameters[index]!;
  const nameOf = (place: number) => {
    const each = parameters[place]?.target;
    return each?.kind === 'name' ? each.name : '';
  };
  if (own.some((each) => /^@(?:Body|Query|Param|Headers|Cookies|UploadedFile|Req\b)/.test(each)))
    return isPlain(type) ? 'plain' : own.some((each) => /^@Req/.test(each)) ? '@request' : 'request value';
  if (
    decorators.some((each) => /^@(?:Get|Post|Put|Delete|Patch|All)\(/.test(each)) &&
    isRequestType.test(type)
  )
    return '@request';
  if (isRequestType.test(type)) return '@request';
  if (isPlain(type)) return 'plain';
  const own_ = target.kind === 'name' ? target.name : '';
  if (
    /^(?:req|request|_req)$/.test(own_) &&
    /^_?(?:res|response|resp|reply|h|rep|rsp)$/i.test(nameOf(index + 1))
  )
    return '@request';
  if (
    /^(?:req|request)$/.test(own_) &&
    index === 0 &&
    /^(?:GET|POST|PUT|PATCH|DELETE|handler|loader|action)$/.test(name)
  )
    return '@request';
  if (
    index > 0 &&
    /^_?(?:res|response|resp|rsp)$/i.test(own_) &&
    /^_?(?:req|request)$/.test(nameOf(index - 1))
  )
    return '@response';
  if (index > 0 && /^(?:reply)$/.test(own_) && /^_?(?:req|request)$/.test(nameOf(index - 1))) return '@reply';
  if (/^(?:ctx|context)$/.test(own_) && index === 0 && nameOf(1) === 'next') return '@context';
  if (/^(?:cb|callback|next|done|fn|func|err|error|e|logger|log|console|t)$/.test(own_)) return 'plain';
  return null;
}

/** Types that hold no untrusted text, such as numbers and unions of string literals. */
const isPlain = (type: string) =>
  /^(?:number|boolean|bigint|Date|null|undefined|void|RegExp|Buffer|\(.*\) =>.*|(?:'[^']*'|"[^"]*")(?:\s*\|\s*(?:'[^']*'|"[^"]*"))*)(?:\[\])?(?:\s*\|\s*(?:null|undefined))?$/s.test(
    type,
  );

export const javascriptTable: LanguageTable = {
  sinks,
  writes: [
    { rule: 'html-injection', names: /^(?:innerHTML|outerHTML|dangerouslySetInnerHTML|srcdoc)$/ },
    { rule: 'nosql-injection', names: /^\$where$/ },
  ],
  sources: [
    [new RegExp(`^@request\\.(?:${requestParts})$`), 'request'],
    [new RegExp(`^@context\\.(?:request\\.body|${requestParts})$`), 'request'],
    [new RegExp(`^@context\\.(?:request|req)\\.(?:${requestParts})$`), 'request'],
    [
      /^(?:window\.|document\.|self\.)?location\.(?:hash|search|href|pathname)$|^document\.(?:URL|documentURI|referrer|baseURI)$|^window\.name$/,
      'request',
    ],
    [/^process\.argv$/, 'outside'],
    // Names of files may have been chosen by people who upload them.
    [/^@file names$|^(?:fs|fs-extra|graceful-fs)(?:[./]promises)?\.readdir(?:Sync)?\(\)$/, 'outside'],
  ],
  cleaners: [
    [
      /(?:^|\.)(?:parseInt|parseFloat|Number|BigInt|Boolean|isNaN|toFixed|getTime|valueOf|charCodeAt|indexOf|search|localeCompare|toLocaleString)$/,
      'all',
    ],
    [/^Math\.|^crypto\.|^Date(?:\.|$)|^isFinite$/, 'all'],
    [
      /escape|sanit|purif|quote(?!d)|clean|slugif|shellwords|uuid|encodeURI(?!$)|hash|digest|htmlentities|strip|normalizeUrl|getBasename|encrypt|sign$|filenamify|mongoSanitize/i,
      'all',
    ],
    [/^encodeURI$/, ['html-injection', 'command-injection']],
    [
      /^JSON\.stringify$/,
      [
        'path-traversal',
        'html-injection',
        'request-forgery',
        'open-redirect',
        'nosql-injection',
        'property-injection',
      ],
    ],
    [/^path(?:\.posix|\.win32)?\.(?:basename|extname|relative)$/, 'all'],
    [/^String$|\.toString$/, ['nosql-injection']],
    [/^(?:url\.parse|URL|querystring\.parse|qs\.parse)$/, ['nosql-injection']],
    [
      /(?:^|\.)(?:isEmpty|isString|isArray|isObject|existsSync|exists|statSync|stat|access|lstatSync|test|includes|startsWith|endsWith|has|hasOwnProperty)$/,
      'all',
    ],
    [/^mime(?:-types)?\.|getType$|lookup$/, 'all'],
    [
      /(?:^|\.)(?:fetch|get|post|put|request|findById|findByPk|findUnique|findFirst|save|create|verify|decodeToken|login|authenticate)$/,
      'all',
    ],
  ],
  passing:
    /(?:^|\.)(?:trim|trimStart|trimEnd|toLowerCase|toUpperCase|toString|slice|substring|substr|split|join|concat|replace|replaceAll|padStart|padEnd|repeat|at|charAt|match|matchAll|exec|map|filter|reverse|sort|flat|flatMap|reduce|find|shift|pop|splice|values|keys|entries|getOwnPropertyNames|ownKeys|fromEntries|assign|from|of|normalize|resolve|format|inspect|parse|stringify|decode|decodeURIComponent|decodeURI|unescape|atob|String|Object|Array|URL|Buffer|toArray|get|pick|omit|clone|cloneDeep|merge|defaults|extend|getAll|then|catch|finally|promisify|all|allSettled|race|castArray|compact|uniq|flatten|first|last|head|tail|toPath|keysIn|values|bind|call|apply|raw|text|json|unflatten|deepClone|camelCase|sprintf|toPairs|isObject)$/,
  same: /(?:^|\.)(?:promisify|promisifyAll|denodeify|bind|freeze|seal|Promise\.resolve|resolve\(\)|pify|thenify|fromCallback|toRaw|unref|__importStar|__importDefault|_interopRequireDefault|_interopRequireWildcard|_interopDefault|__toESM|toObject|Object)$/,
  results: [
    [/^(?:express|fastify|koa|restify\.createServer|polka|connect|router)\(\)$/, '@app'],
    [/^express\.Router\(\)$/, '@app'],
  ],
  handlers: [
    [/^(?:fs|fs-extra|graceful-fs)\.readdir$/, [null, '@file names']],
    [/(?:^|\.)(?:get|post|put|patch|delete|del|all|use|options|head|route)$/, ['@request', '@response']],
    [
      /^(?:http|https|http2)\.createServer$|^(?:http|https)\.Server$|^http2\.createSecureServer$|^(?:connect|polka)$|^micro$/,
      ['@request', '@response'],
    ],
  ],
  parameter,
};

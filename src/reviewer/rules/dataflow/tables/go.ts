import type { FlowFunction } from '../form.ts';
import type { LanguageTable, Sink } from './model.ts';

const of = (module: string, names: string): string[] => names.split(' ').map((name) => `${module}.${name}`);
const methods = (names: string): string[] => names.split(' ').map((name) => `.${name}`);

const templates = ['text/template', 'html/template'].flatMap((module) => [
  `${module}.New().Parse`,
  `${module}.New().Funcs().Parse`,
  `${module}.New().Option().Parse`,
  `${module}.New().Delims().Parse`,
]);

const sinks: readonly Sink[] = [
  {
    rule: 'command-injection',
    calls: ['os/exec.Command'],
    argument: { from: 0, as: 'list' },
    needs: ['shell-list'],
    from: 'composed',
  },
  {
    rule: 'command-injection',
    calls: ['os/exec.CommandContext'],
    argument: { from: 1, as: 'list' },
    needs: ['shell-list'],
    from: 'composed',
  },
  {
    rule: 'command-injection',
    calls: ['os/exec.Command'],
    argument: { from: 0, as: 'list' },
    needs: ['program'],
  },
  {
    rule: 'command-injection',
    calls: ['os/exec.CommandContext'],
    argument: { from: 1, as: 'list' },
    needs: ['program'],
  },
  { rule: 'command-injection', calls: of('syscall', 'Exec ForkExec StartProcess'), argument: 0 },
  { rule: 'command-injection', calls: ['os.StartProcess'], argument: 0 },
  // Of an SSH session: the methods of `exec.Cmd`, which start a local program, take no argument.
  { rule: 'command-injection', calls: methods('CombinedOutput Output'), argument: 0 },
  {
    rule: 'sql-injection',
    calls: methods(
      'Query QueryRow Exec Prepare Preparex Raw Queryx QueryRowx MustExec NamedExec NamedQuery ExecParams',
    ),
    argument: 0,
    needs: ['sql', 'composed'],
    from: 'composed',
  },
  {
    rule: 'sql-injection',
    calls: methods(
      'QueryContext QueryRowContext QueryxContext QueryRowxContext ExecContext MustExecContext NamedExecContext PrepareContext PreparexContext Get Select Exec Query QueryRow Raw Queue',
    ),
    argument: 1,
    needs: ['sql', 'composed'],
    from: 'composed',
  },
  {
    rule: 'sql-injection',
    calls: methods('GetContext SelectContext'),
    argument: 2,
    needs: ['sql', 'composed'],
    from: 'composed',
  },
  {
    rule: 'sql-injection',
    calls: methods('Where Or Not Having Joins'),
    argument: 0,
    needs: ['composed', 'condition'],
    from: 'requests',
  },
  { rule: 'sql-injection', calls: methods('Order Having Group OrderBy GroupBy'), argument: 0 },
  { rule: 'sql-injection', calls: methods('First Take Last'), argument: 1, needs: ['text'] },
  { rule: 'code-injection', calls: ['plugin.Open'], argument: 0 },
  {
    rule: 'code-injection',
    calls: [
      ...methods('RunString RunScript'),
      'github.com/robertkrimen/otto.New().Run',
      'github.com/robertkrimen/otto.New().Eval',
      'github.com/expr-lang/expr.Eval',
      'github.com/antonmedv/expr.Eval',
    ],
    argument: 0,
  },
  {
    rule: 'nosql-injection',
    calls: methods('FindOne Find DeleteOne DeleteMany UpdateOne UpdateMany CountDocuments Aggregate'),
    argument: 1,
    needs: ['where'],
  },
  {
    rule: 'path-traversal',
    calls: [
      ...of(
        'os',
        'Open OpenFile ReadFile Create Remove RemoveAll WriteFile ReadDir Mkdir MkdirAll Rename Truncate Chmod DirFS',
      ),
      ...of('io/ioutil', 'ReadFile WriteFile ReadDir'),
      ...of('@gin', 'File FileAttachment'),
      ...of('@echo', 'File Attachment Inline'),
      ...of('@fiber', 'SendFile Download'),
    ],
    argument: 0,
  },
  {
    rule: 'path-traversal',
    calls: [...of('@gin', 'SaveUploadedFile'), ...of('@fiber', 'SaveFile'), 'os.Rename'],
    argument: 1,
  },
  { rule: 'path-traversal', calls: ['net/http.ServeFile'], argument: 2 },
  {
    rule: 'request-forgery',
    calls: [...of('net/http', 'Get Post Head PostForm'), 'github.com/go-resty/resty/v2.New().R().Get'],
    argument: 0,
    needs: ['start'],
  },
  { rule: 'request-forgery', calls: ['net/http.NewRequest', 'net.Dial'], argument: 1, needs: ['start'] },
  { rule: 'request-forgery', calls: ['net/http.NewRequestWithContext'], argument: 2, needs: ['start'] },
  { rule: 'open-redirect', calls: ['net/http.Redirect'], argument: 2, needs: ['start'] },
  { rule: 'open-redirect', calls: ['@gin.Redirect', '@echo.Redirect'], argument: 1, needs: ['start'] },
  {
    rule: 'open-redirect',
    calls: ['@fiber.Redirect', '@fiber.Redirect().To'],
    argument: 0,
    needs: ['start'],
  },
  { rule: 'html-injection', calls: of('html/template', 'HTML JS HTMLAttr URL CSS JSStr'), argument: 0 },
  { rule: 'html-injection', calls: ['@echo.HTML', '@echo.HTMLBlob'], argument: 1 },
  { rule: 'html-injection', calls: ['@gin.Data', '@echo.Blob'], argument: 2, needs: ['html'] },
  { rule: 'html-injection', calls: ['@response.Write'], argument: 0, needs: ['html'] },
  {
    rule: 'html-injection',
    calls: of('fmt', 'Fprintf Fprint Fprintln'),
    argument: { from: 1, as: 'text' },
    needs: ['response', 'html'],
  },
  { rule: 'html-injection', calls: ['io.WriteString'], argument: 1, needs: ['response', 'html'] },
  { rule: 'template-injection', calls: templates, argument: 0 },
];

const kinds: readonly (readonly [RegExp, string])[] = [
  [/^\*http\.Request$/, '@request'],
  [/^http\.ResponseWriter$/, '@response'],
  [/^\*gin\.Context$/, '@gin'],
  [/^\*?echo\.Context$/, '@echo'],
  [/^\*?fiber\.Ctx$/, '@fiber'],
];

/** Types that never hold untrusted values: numbers, functions, and parts of the program such as loggers. */
const plain =
  /^int$|^error$|^\*?(?:context\.Context|sql\.\w+|sqlx\.\w+|gorm\.DB|pgx\w*\.\w+|slog\.Logger|zap\.\w+|testing\.\w+)$|func\(/;

function parameter({ parameters }: FlowFunction, index: number): ReturnType<LanguageTable['parameter']> {
  const { type } = parameters[index]!;
  const known = kinds.find(([types]) => types.test(type));
  if (known !== undefined) return known[1];
  return plain.test(type) ? 'plain' : null;
}

const ofRequest =
  'FormValue\\(\\)|PostFormValue\\(\\)|PathValue\\(\\)|URL\\.Query\\(\\)|URL\\.Path|URL\\.RawQuery|URL\\.RawPath|Header|Body|Form|PostForm|MultipartForm|RequestURI|Referer\\(\\)|UserAgent\\(\\)|Cookie\\(\\)|Cookies\\(\\)|FormFile\\(\\)';

export const goTable: LanguageTable = {
  sinks,
  writes: [],
  sources: [
    [new RegExp(`^@(?:request|gin\\.Request|echo\\.Request\\(\\))\\.(?:${ofRequest})$`), 'request'],
    [
      /^@gin\.(?:Query|DefaultQuery|GetQuery|QueryArray|GetQueryArray|QueryMap|Param|PostForm|DefaultPostForm|GetPostForm|PostFormArray|GetHeader|Cookie|GetRawData|FormFile)\(\)$/,
      'request',
    ],
    [
      /^@echo\.(?:QueryParam|QueryParams|QueryString|Param|ParamValues|FormValue|FormParams|Cookie|FormFile)\(\)$/,
      'request',
    ],
    [
      /^@fiber\.(?:Query|Params|FormValue|Body|BodyRaw|Get|Cookies|OriginalURL|Queries|FormFile)\(\)$/,
      'request',
    ],
    [/^github\.com\/gorilla\/mux\.Vars\(\)$|\/chi(?:\/v\d+)?\.URLParam\(\)$/, 'request'],
    [/\/httprouter\.ParamsFromContext\(\)$/, 'request'],
    [/^os\.Args$/, 'outside'],
  ],
  cleaners: [
    [
      /^strconv\.|(?:^|\.)(?:len|cap|u?int(?:8|16|32|64)?|float(?:32|64)|bool|EscapeString|QueryEscape|PathEscape|HTMLEscapeString|JSEscapeString|URLQueryEscaper|Quote|QuoteIdentifier|QuoteLiteral|Base|Ext|HasPrefix|HasSuffix|Contains|ContainsAny|EqualFold|Index|Stat|IsLocal|SecureJoin|Sum256|EncodeToString|Hostname)$/,
      'all',
    ],
    [/[Ee]scape|[Ss]anit|uuid|[Hh]ash|crypto\/|Clean[A-Z]|[Ss]lug|Valid|bluemonday|^errors\./, 'all'],
    [
      /(?:^|\.)MarshalIndent$|^encoding\/json\.Marshal$/,
      ['html-injection', 'path-traversal', 'open-redirect'],
    ],
  ],
  passing:
    /(?:^|\.)(?:Sprintf|Sprint|Sprintln|Join|Clean|Abs|FromSlash|ToSlash|Dir|TrimSpace|Trim|TrimLeft|TrimRight|TrimPrefix|TrimSuffix|TrimFunc|ToLower|ToUpper|Title|Replace|ReplaceAll|Split|SplitN|Cut|Fields|Repeat|Clone|string|byte|append|Get|Values|Peek|ReadAll|String|Bytes|NewReader|NewScanner|Text|NewDecoder|NewBuffer|NewBufferString|MaxBytesReader|LimitReader|Parse|ParseRequestURI|ParseQuery|PathUnescape|QueryUnescape|DecodeString|JoinPath|JoinHostPort|Concat|ByName|Value|Filename)$/,
  same: /^context\.With|(?:^|\.)Must$/,
  results: [],
  handlers: [],
  fills:
    /(?:^|\.)(?:Bind|BindJSON|BindQuery|BindUri|BindHeader|BindBody|BindWith|ShouldBind|ShouldBindJSON|ShouldBindQuery|ShouldBindUri|ShouldBindWith|MustBindWith|BodyParser|QueryParser|ParamsParser|Decode|Unmarshal)$/,
  requests: /^@(?:request|gin|echo|fiber)$/,
  parameter,
};

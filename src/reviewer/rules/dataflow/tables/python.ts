import type { FlowFunction } from '../form.ts';
import type { LanguageTable, Sink } from './model.ts';

const of = (module: string, names: string): string[] => names.split(' ').map((name) => `${module}.${name}`);

const processes = of('subprocess', 'run call check_call check_output Popen');

const sinks: readonly Sink[] = [
  {
    rule: 'command-injection',
    calls: [
      ...of('os', 'system popen popen2 popen3'),
      ...of('subprocess', 'getoutput getstatusoutput'),
      ...of('commands', 'getoutput getstatusoutput'),
      'asyncio.create_subprocess_shell',
      ...of('pexpect', 'run spawn'),
      'popen2.popen3',
    ],
    argument: 0,
    from: 'composed',
  },
  { rule: 'command-injection', calls: processes, argument: 0, needs: ['shell'], from: 'composed' },
  { rule: 'command-injection', calls: processes, argument: 0, needs: ['program'] },
  { rule: 'command-injection', calls: ['.exec_command'], argument: 0 },
  {
    rule: 'sql-injection',
    calls: [
      '.execute',
      '.executemany',
      '.executescript',
      '.raw',
      'sqlalchemy.text',
      'sqlalchemy.sql.text',
      '.extra',
      '.read_sql',
      '.read_sql_query',
    ],
    argument: 0,
    needs: ['sql', 'composed'],
    from: 'composed',
  },
  {
    rule: 'code-injection',
    calls: [
      'eval',
      'exec',
      'compile',
      'builtins.eval',
      'builtins.exec',
      '__import__',
      'importlib.import_module',
    ],
    argument: 0,
  },
  {
    rule: 'path-traversal',
    calls: [
      'open',
      'io.open',
      'codecs.open',
      'aiofiles.open',
      ...of('os', 'open remove unlink rmdir listdir makedirs mkdir rename scandir removedirs'),
      ...of('shutil', 'rmtree copy copyfile move'),
      'flask.send_file',
      'send_file',
      'django.http.FileResponse',
      'starlette.responses.FileResponse',
      'fastapi.responses.FileResponse',
      'zipfile.ZipFile',
      'tarfile.open',
    ],
    argument: 0,
  },
  {
    rule: 'path-traversal',
    calls: ['.read_text', '.read_bytes', '.write_text', '.write_bytes', '.open', '.unlink', '.rmdir'],
    argument: 'receiver',
  },
  {
    rule: 'request-forgery',
    calls: [
      ...of('requests', 'get post put delete head patch options request'),
      ...of('httpx', 'get post put delete head patch request'),
      'urllib.request.urlopen',
      'urllib.request.urlretrieve',
      'urllib.request.Request',
      'urllib2.urlopen',
      'urllib.urlopen',
      'urllib3.PoolManager().request',
    ],
    argument: 0,
    needs: ['start'],
  },
  {
    rule: 'open-redirect',
    calls: [
      'flask.redirect',
      'django.shortcuts.redirect',
      'django.http.HttpResponseRedirect',
      'starlette.responses.RedirectResponse',
      'fastapi.responses.RedirectResponse',
      'werkzeug.utils.redirect',
    ],
    argument: 0,
    needs: ['start'],
  },
  {
    rule: 'html-injection',
    calls: [
      'flask.make_response',
      'flask.Response',
      'django.http.HttpResponse',
      'django.utils.safestring.mark_safe',
      'markupsafe.Markup',
      'flask.Markup',
      'starlette.responses.HTMLResponse',
      'fastapi.responses.HTMLResponse',
    ],
    argument: 0,
    needs: ['text'],
  },
  {
    rule: 'deserialization',
    calls: [
      ...of('pickle', 'loads load Unpickler'),
      ...of('cPickle', 'loads load'),
      ...of('_pickle', 'loads load'),
      ...of('dill', 'loads load'),
      ...of('cloudpickle', 'loads load'),
      ...of('marshal', 'loads load'),
      'jsonpickle.decode',
      'shelve.open',
      ...of('yaml', 'unsafe_load unsafe_load_all full_load'),
    ],
    argument: 0,
  },
  { rule: 'deserialization', calls: of('yaml', 'load load_all'), argument: 0, needs: ['unsafe-loader'] },
  {
    rule: 'template-injection',
    calls: [
      'flask.render_template_string',
      'jinja2.Template',
      '.from_string',
      'mako.template.Template',
      'django.template.Template',
      'tornado.template.Template',
    ],
    argument: 0,
  },
  {
    rule: 'slow-regex',
    calls: of('re', 'compile match search fullmatch sub findall finditer split'),
    argument: 0,
  },
];

const flaskParts =
  'args|form|values|cookies|headers|json|data|files|url|query_string|full_path|get_json\\(\\)|get_data\\(\\)|view_args|base_url|referrer|stream|user_agent|host';
const requestParts = `${flaskParts}|path|GET|POST|body|META|COOKIES|FILES|path_info|get_full_path\\(\\)|build_absolute_uri\\(\\)|query_params|path_params|json\\(\\)|body\\(\\)|form\\(\\)|query|match_info|rel_url|arguments|body_arguments|read\\(\\)|text\\(\\)|post\\(\\)`;

const isPlain = (type: string) =>
  /^(?:Optional\[)?(?:int|float|bool|complex|UUID|uuid\.UUID|datetime|date|Decimal|PositiveInt|Session|AsyncSession|Logger|Path|Callable.*)\]?(?:\s*\|\s*None)?$/.test(
    type,
  ) || /\b(?:Depends|Enum|Literal)\b/.test(type);
const isRequestType = /^(?:\w+\.)*(?:HttpRequest|Request|WSGIRequest|WebSocket)$/;
const route = /^@[\w.]*\b(?:route|get|post|put|patch|delete|websocket|api_route)\(/;

function parameter(
  { parameters, decorators }: FlowFunction,
  index: number,
): ReturnType<LanguageTable['parameter']> {
  const { target, type, standard } = parameters[index]!;
  const name = target.kind === 'name' ? target.name : '';
  if (isRequestType.test(type)) return '@request';
  if (isPlain(type)) return 'plain';
  if (name === 'request' && index === 0) return '@request';
  const handler = decorators.find((each) => route.test(each));
  if (handler !== undefined) {
    if (
      standard !== null &&
      standard.kind === 'call' &&
      standard.callee.kind === 'name' &&
      /^(?:Depends|Security)$/.test(standard.callee.name)
    )
      return 'plain';
    if (new RegExp(`<(?:int|float|uuid):${RegExp.escape(name)}>`).test(handler)) return 'plain';
    return 'request value';
  }
  return null;
}

export const pythonTable: LanguageTable = {
  sinks,
  writes: [],
  sources: [
    [new RegExp(`^flask\\.request\\.(?:${flaskParts})$`), 'request'],
    [
      new RegExp(`^(?:@request|bottle\\.request|quart\\.request|sanic\\.request)\\.(?:${requestParts})$`),
      'request',
    ],
    [
      /^@self\.(?:get_argument|get_arguments|get_query_argument|get_body_argument|get_cookie)\(\)$|^@self\.request\.(?:body|uri|query|arguments|headers|GET|POST|data|query_params)$/,
      'request',
    ],
    [/^sys\.argv$|^input\(\)$|^raw_input\(\)$/, 'outside'],
  ],
  cleaners: [
    [
      /(?:^|\.)(?:int|float|bool|len|hash|id|ord|isinstance|isdigit|isnumeric|isalnum|isalpha|startswith|endswith|index|count|hexdigest|digest|exists|isfile|isdir|type)$/,
      'all',
    ],
    [
      /escape|sanit|(?:^|\.)quote|bleach|clean|slugify|secure_filename|basename|uuid|UUID|hashlib|hmac|urlencode|url_for|safe_join|hexlify|literal_eval|strptime|get_random|encrypt|jsonify|render_template$|render$|parse_obj|model_validate|is_valid|safe_load/,
      'all',
    ],
    [/^json\.dumps$/, ['path-traversal', 'html-injection', 'request-forgery', 'open-redirect']],
    [/(?:^|\.)(?:filter|get_object_or_404|filter_by|all|first|one|fetchone|fetchall|verify)$/, 'all'],
  ],
  passing:
    /(?:^|\.)(?:strip|lstrip|rstrip|lower|upper|title|capitalize|replace|split|rsplit|splitlines|partition|rpartition|join|format|format_map|encode|decode|unquote|unquote_plus|b64decode|b64encode|urlsafe_b64decode|a85decode|unhexlify|str|bytes|bytearray|list|tuple|set|dict|sorted|reversed|get|getlist|get_list|items|values|keys|copy|deepcopy|normpath|abspath|realpath|expanduser|expandvars|fspath|Path|PurePath|joinpath|resolve|absolute|loads|read|getvalue|StringIO|BytesIO|urljoin|urlparse|urlsplit|parse_qs|parse_qsl|to_dict|getall|dedent|pop|setdefault|zfill|ljust|rjust|center|removeprefix|removesuffix|translate|casefold|expandtabs|iter|next|map|filter|zip|enumerate|max|min|repr|getattr|dumps|safe_str|to_list|first|last|getfirst|get_json|get_data)$/,
  same: /(?:^|\.)(?:shield|ensure_future|gather|cast)$/,
  results: [],
  handlers: [],
  parameter,
  returned: ({ decorators }) =>
    decorators.some((each) => /^@[\w.]*\broute\(/.test(each)) ? 'html-injection' : null,
};

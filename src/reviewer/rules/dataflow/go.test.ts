import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sidesOf } from '../../../../test/compared-change.ts';
import { defaultConfiguration } from '../../configuration/review-configuration.ts';
import { dataflow } from './dataflow.ts';

const { signal } = new AbortController();

/** The findings about a new file, as `severity rule:line`. */
async function saidOf(text: string, around: Record<string, string> = {}): Promise<string[]> {
  const sides = sidesOf({ 'shop/views.go': [null, text] }, around);
  const { findings } = await dataflow.compare(sides, defaultConfiguration.reviews, signal);
  return findings.map(
    ({ severity, rule, startLine }) => `${severity} ${rule.slice('dataflow/'.length)}:${startLine}`,
  );
}

const imports =
  'package shop\nimport ("database/sql"; "encoding/json"; "fmt"; "html/template"; "io"; "net/http"; "os"; "os/exec"; "path/filepath"; "strconv"; "strings"; "github.com/gin-gonic/gin"; "github.com/go-chi/chi/v5"; "github.com/gofiber/fiber/v2"; "github.com/labstack/echo/v4"; "gorm.io/gorm")\n';
/** The body of the function begins in line 4. */
const inside = (parameters: string, ...lines: string[]) =>
  `${imports}func handle(${parameters}) {\n${lines.map((line) => `\t${line}\n`).join('')}}\n`;
const handler = (...lines: string[]) =>
  inside('w http.ResponseWriter, r *http.Request, db *sql.DB', ...lines);

test('requests of net/http are followed to shells, queries, files, URLs, pages and templates', async () => {
  const cases: [string, string][] = [
    ['db.Query("SELECT * FROM a WHERE b = \'" + r.FormValue("b") + "\'")', 'critical sql-injection:4'],
    [
      'db.QueryContext(r.Context(), fmt.Sprintf("SELECT * FROM a WHERE b = \'%s\'", r.URL.Query().Get("b")))',
      'critical sql-injection:4',
    ],
    ['exec.Command("sh", "-c", "ls "+r.FormValue("a")).Run()', 'critical command-injection:4'],
    ['exec.CommandContext(r.Context(), "bash", "-c", r.PostFormValue("a"))', 'critical command-injection:4'],
    ['exec.Command(r.Header.Get("X-Tool"))', 'critical command-injection:4'],
    ['os.ReadFile(filepath.Join("files", r.PathValue("name")))', 'major path-traversal:4'],
    ['http.ServeFile(w, r, "files/"+chi.URLParam(r, "name"))', 'major path-traversal:4'],
    ['http.Get(r.FormValue("url"))', 'major request-forgery:4'],
    ['http.NewRequest("GET", "http://"+r.FormValue("host")+"/a", nil)', 'major request-forgery:4'],
    ['http.Redirect(w, r, r.FormValue("next"), 302)', 'major open-redirect:4'],
    ['fmt.Fprintf(w, "<h1>%s</h1>", r.FormValue("name"))', 'major html-injection:4'],
    ['w.Write([]byte("<b>" + r.FormValue("name") + "</b>"))', 'major html-injection:4'],
    ['page.Execute(w, template.HTML(r.FormValue("name")))', 'major html-injection:4'],
    ['template.Must(template.New("a").Parse(r.FormValue("page")))', 'major template-injection:4'],
  ];
  for (const [line, expected] of cases) assert.deepEqual(await saidOf(handler(line)), [expected], line);
});

test('gin, echo, fiber and gorm are supported', async () => {
  const cases: [string, string, string][] = [
    ['c *gin.Context', 'exec.Command("sh", "-c", "ls "+c.Query("a"))', 'critical command-injection:4'],
    ['c *gin.Context', 'c.File("files/" + c.Param("name"))', 'major path-traversal:4'],
    ['c *gin.Context', 'c.Redirect(302, c.DefaultQuery("next", "/"))', 'major open-redirect:4'],
    ['c *gin.Context', 'os.Remove(c.Request.FormValue("name"))', 'major path-traversal:4'],
    ['c echo.Context', 'c.HTML(200, "<b>"+c.QueryParam("name")+"</b>")', 'major html-injection:4'],
    ['c *fiber.Ctx', 'c.SendFile("files/" + c.Params("name"))', 'major path-traversal:4'],
    [
      'c *gin.Context, db *gorm.DB',
      'db.Where(fmt.Sprintf("name = \'%v\'", c.Query("name"))).Find(&users)',
      'critical sql-injection:4',
    ],
    ['c *gin.Context, db *gorm.DB', 'db.Order(c.Query("sort")).Find(&users)', 'critical sql-injection:4'],
    ['c *gin.Context, db *gorm.DB', 'db.First(&user, c.Param("id"))', 'critical sql-injection:4'],
    [
      'c echo.Context, db *gorm.DB',
      'db.Raw("SELECT * FROM users WHERE name = \'" + c.QueryParam("name") + "\'").Scan(&users)',
      'critical sql-injection:4',
    ],
  ];
  for (const [parameters, line, expected] of cases)
    assert.deepEqual(await saidOf(inside(parameters, line)), [expected], line);
});

test('values are followed through the constructs of Go', async () => {
  const run = (value: string) => `exec.Command("sh", "-c", "ls "+${value})`;
  const ways = [
    ['a, b := r.FormValue("a"), 1', run('a')],
    ['body, err := io.ReadAll(r.Body)', 'if err != nil {', '\treturn', '}', run('string(body)')],
    ['var order struct{ Name string }', 'json.NewDecoder(r.Body).Decode(&order)', run('order.Name')],
    ['var text strings.Builder', 'text.WriteString(r.FormValue("a"))', run('text.String()')],
    ['names := []string{"x"}', 'names = append(names, r.FormValue("a"))', run('strings.Join(names, " ")')],
    ['for _, name := range r.Form["a"] {', `\t${run('name')}`, '}'],
    ['list := func(name string) {', `\t${run('name')}`, '}', 'list(r.FormValue("a"))'],
    ['a := "x"', 'switch {', 'case len(a) > 0:', '\ta = r.FormValue("a")', '}', run('a')],
    ['cookie, err := r.Cookie("a")', '_ = err', run('cookie.Value')],
  ];
  for (const lines of ways) {
    const found = await saidOf(handler(...lines));
    const line = 4 + lines.findIndex((each) => each.includes('exec.Command'));
    assert.deepEqual(found, [`critical command-injection:${line}`], lines.join('; '));
  }
});

test('helpers, methods, other files of the package and other packages are followed', async () => {
  const ask =
    'func ask(db *sql.DB, name string) { db.Query("SELECT * FROM a WHERE b = \'" + name + "\'") }\n';
  assert.deepEqual(await saidOf(`${handler('ask(db, r.FormValue("a"))')}${ask}`), [
    'critical sql-injection:6',
  ]);
  const method =
    'type Shop struct { db *sql.DB }\nfunc (s *Shop) ask(name string) {\n\ts.db.Query("SELECT * FROM a WHERE b = \'" + name + "\'")\n}\nfunc (s *Shop) Show(w http.ResponseWriter, r *http.Request) { s.ask(r.FormValue("a")) }\n';
  assert.deepEqual(await saidOf(`${imports}${method}`), ['critical sql-injection:5']);
  assert.deepEqual(
    await saidOf(handler('ask(db, r.FormValue("a"))'), { 'shop/ask.go': `package shop\n${ask}` }),
    ['critical sql-injection:4'],
  );
  const other = handler('store.Ask(db, r.FormValue("a"))').replace('"fmt"', '"fmt"; "example.com/m/store"');
  assert.deepEqual(
    await saidOf(other, {
      'go.mod': 'module example.com/m\n',
      'store/a.go': 'package store\n',
      'store/b.go': `package store\n${ask.replace('ask', 'Ask')}`,
    }),
    ['critical sql-injection:4'],
  );
});

test('texts from callers of a public function are minor; in programs and structs they are not reported', async () => {
  const list = (name: string, parameter: string, value: string) =>
    `${imports}func ${name}(${parameter}) {\n\texec.Command("sh", "-c", "ls "+${value})\n}\n`;
  assert.deepEqual(await saidOf(list('List', 'name string', 'name')), ['minor command-injection:4']);
  assert.deepEqual(await saidOf(list('list', 'name string', 'name')), []);
  assert.deepEqual(await saidOf(list('List', 'settings Settings', 'settings.Name')), []);
  assert.deepEqual(
    await saidOf(list('List', 'name string', 'name').replace('package shop', 'package main')),
    [],
  );
});

test('values that were sanitized, checked, constant or passed as a query parameter are not reported', async () => {
  const harmless = [
    ['db.Query("SELECT * FROM a WHERE b = $1", r.FormValue("b"))'],
    ['exec.Command("ls", r.FormValue("a"))'],
    ['id, _ := strconv.Atoi(r.FormValue("a"))', 'exec.Command("sh", "-c", fmt.Sprintf("kill %d", id))'],
    ['os.ReadFile(filepath.Join("files", filepath.Base(r.FormValue("name"))))'],
    ['os.ReadFile(filepath.Join("files", filepath.Clean("/"+r.FormValue("name"))))'],
    [
      'name := filepath.Join(root, r.FormValue("name"))',
      'if !strings.HasPrefix(name, root) {',
      '\treturn',
      '}',
      'os.ReadFile(name)',
    ],
    [
      'a := r.FormValue("a")',
      'if _, ok := allowed[a]; !ok {',
      '\treturn',
      '}',
      'exec.Command("sh", "-c", "ls "+a)',
    ],
    [
      'a := r.FormValue("a")',
      'switch a {',
      'case "x", "y":',
      '\texec.Command("sh", "-c", "ls "+a)',
      'default:',
      '}',
    ],
    ['var a struct{ Name string }', 'exec.Command("sh", "-c", "ls "+a.Name)'],
    ['http.Redirect(w, r, "/a?next="+r.FormValue("next"), 302)'],
    ['fmt.Fprintf(w, "hello %s", r.FormValue("name"))'],
    ['fmt.Fprintf(os.Stderr, "<b>%s</b>", r.FormValue("name"))'],
    ['fmt.Fprintf(w, "<b>%s</b>", template.HTMLEscapeString(r.FormValue("name")))'],
    ['http.Get("https://example.com/" + r.FormValue("name"))'],
    [
      'type Order struct { ID int; Name string }',
      'var order Order',
      'json.NewDecoder(r.Body).Decode(&order)',
      'exec.Command("sh", "-c", fmt.Sprintf("ls %v", order.ID))',
    ],
  ];
  for (const lines of harmless) assert.deepEqual(await saidOf(handler(...lines)), [], lines.join('; '));
  assert.deepEqual(
    await saidOf(
      `${inside('c *gin.Context', 'path := c.Query("a")', '_ = path')}func other() { path.Run("a") }\nfunc Names() []string { return exec.Command("sh", "-c", "ls "+path).Args }\n`,
    ),
    [],
  );
});

test('hostile Go terminates', async () => {
  const texts = [
    handler(`x := ${'('.repeat(500)}r.Form${')'.repeat(500)}`),
    handler(`x := ${Array.from({ length: 3_000 }, () => 'r.URL.Path').join(' + ')}`),
    handler('if true {'.repeat(120) + '}'.repeat(120)),
    `${imports}${Array.from(
      { length: 200 },
      (_, index) => `func f${index}(a string) {\n\tf${(index * 7) % 200}(a)\n\tf${(index + 1) % 200}(a)\n}\n`,
    ).join('')}`,
    `${imports}type T struct { t *T }\nfunc (t *T) a(t2 *T) { t.a(t); t.t = t; t.b(t2) }\nfunc (t *T) b(x *T) { x.a(x) }\n`,
  ];
  for (const text of texts) assert.deepEqual(await saidOf(text), []);
});

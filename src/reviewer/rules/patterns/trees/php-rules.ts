import { shared } from './shared-facts.ts';
import { harmlessParts, type TreeLanguage } from './tree-rule.ts';

const outside = '\\$_(?:GET|POST|REQUEST|COOKIE)\\b';
const page = (line: string) => `<?php\n${line}\n`;

/** Agreed on by the PHP manual, OWASP's cheat sheets, and the taint rules of Psalm and progpilot. */
export const php: TreeLanguage = {
  name: 'PHP',
  files: /\.php$/,
  path: 'src/a.php',
  rules: [
    {
      id: 'sql-injection',
      facts: shared.sql,
      nodes: ['encapsed_string', 'binary_expression'],
      text: /^"\s*(?:select|insert\s+into|update|delete\s+from|replace\s+into)\b[^;]{0,1000}?(?:=|<|>|\blike\b|\bin\b|\bvalues\b)\s*\(?\s*['%]*(?:\{?\$|"\s*\.\s*\$)/i,
      unless: new RegExp(`${harmlessParts.source}|intval|\\(int\\)|prefix`, 'i'),
      example: {
        fails: page('$db->query("SELECT * FROM users WHERE name = \'$name\'");'),
        passes: page('$db->prepare("SELECT * FROM users WHERE name = ?")->execute([$name]);'),
      },
    },
    {
      id: 'shell-injection',
      facts: shared.shell,
      nodes: ['function_call_expression', 'shell_command_expression'],
      text: new RegExp(
        `^(?:(?:system|exec|shell_exec|passthru|popen|proc_open)\\(\\s*(?:"[^"]*\\$|["'][^"']*["']\\s*\\.\\s*\\$|${outside})|\`[^\`]*\\$)`,
      ),
      unless: /escapeshell|\(int\)|intval/,
      example: {
        fails: page('system("git log " . $branch);'),
        passes: page('system("git log " . escapeshellarg($branch));'),
      },
    },
    {
      id: 'code-from-text',
      facts: shared.code,
      nodes: ['function_call_expression'],
      text: new RegExp(`^(?:eval|assert|create_function)\\([^;]*${outside}`),
      example: {
        fails: page('eval($_POST["formula"]);'),
        passes: page('$formulas->evaluate($_POST["formula"]);'),
      },
    },
    {
      id: 'path-from-request',
      facts: shared.path,
      nodes: [
        'include_expression',
        'include_once_expression',
        'require_expression',
        'require_once_expression',
      ],
      text: new RegExp(`^\\w+\\s*\\(?\\s*(?:["'][^"']*["']\\s*\\.\\s*|__DIR__\\s*\\.\\s*)*${outside}`),
      example: {
        fails: page('include "pages/" . $_GET["page"];'),
        passes: page('include $pages[$_GET["page"]] ?? "pages/start.php";'),
      },
    },
    {
      id: 'html-injection',
      facts: shared.html,
      nodes: ['echo_statement', 'print_intrinsic'],
      text: new RegExp(`^(?:echo|print)\\b[^;]*${outside}`),
      unless:
        /htmlspecialchars|htmlentities|json_encode|\(int\)|intval|strip_tags|esc_|count\(|urlencode|isset/,
      example: {
        fails: page('echo "Hello " . $_GET["name"];'),
        passes: page('echo "Hello " . htmlspecialchars($_GET["name"]);'),
      },
    },
    {
      id: 'foreign-objects',
      facts: shared.objects,
      nodes: ['function_call_expression'],
      text: new RegExp(`^unserialize\\([^;]*${outside}`),
      unless: /allowed_classes/,
      example: {
        fails: page('$cart = unserialize($_COOKIE["cart"]);'),
        passes: page('$cart = json_decode($_COOKIE["cart"]);'),
      },
    },
    {
      id: 'weak-hash',
      facts: shared.hash,
      nodes: ['function_call_expression'],
      text: /^(?:md5|sha1)\(\s*\$\w*pass\w*/i,
      example: {
        fails: page('$hash = md5($password);'),
        passes: page('$hash = password_hash($password, PASSWORD_DEFAULT);'),
      },
    },
    {
      id: 'certificate-not-checked',
      facts: shared.certificate,
      nodes: ['function_call_expression'],
      text: /^curl_setopt\([^,]+,\s*CURLOPT_SSL_VERIFY(?:PEER|HOST)\s*,\s*(?:false|0)\s*\)$/i,
      example: {
        fails: page('curl_setopt($call, CURLOPT_SSL_VERIFYPEER, false);'),
        passes: page('curl_setopt($call, CURLOPT_SSL_VERIFYPEER, true);'),
      },
    },
  ],
};

import { shared } from './shared-facts.ts';
import { harmlessParts, type TreeLanguage } from './tree-rule.ts';

const inFunction = (...lines: string[]) =>
  `fn a(b: &str) {\n${lines.map((line) => `    ${line}\n`).join('')}}\n`;

/** Agreed on by Clippy, the documentation of reqwest, SQLx and the standard library, and OWASP. */
export const rust: TreeLanguage = {
  name: 'Rust',
  files: /\.rs$/,
  path: 'src/a.rs',
  rules: [
    {
      id: 'shell-injection',
      facts: shared.shell,
      nodes: ['call_expression'],
      text: /^(?:std::process::)?Command::new\(\s*"(?:\/bin\/)?(?:ba|z|da)?sh"\s*\)\s*\.\s*arg\(\s*"-c"\s*\)\s*\.\s*arg\(\s*&?format!\(/,
      example: {
        fails: inFunction('Command::new("sh").arg("-c").arg(format!("git log {b}")).output();'),
        passes: inFunction('Command::new("git").arg("log").arg(b).output();'),
      },
    },
    {
      id: 'sql-injection',
      facts: shared.sql,
      nodes: ['macro_invocation'],
      text: /^format!\(\s*r?#*"\s*(?:select|insert\s+into|update|delete\s+from)\b[^;]{0,1000}?(?:=|<|>|\blike\b|\bin\b|\bvalues\b)\s*\(?\s*['%]*\{/i,
      unless: harmlessParts,
      example: {
        fails: inFunction('sqlx::query(&format!("SELECT * FROM a WHERE c = \'{b}\'"));'),
        passes: inFunction('sqlx::query("SELECT * FROM a WHERE c = $1").bind(b);'),
      },
    },
    {
      id: 'certificate-not-checked',
      facts: shared.certificate,
      nodes: ['call_expression'],
      text: /\.\s*danger_accept_invalid_(?:certs|hostnames)\(\s*true\s*\)$/,
      example: {
        fails: inFunction('reqwest::Client::builder().danger_accept_invalid_certs(true);'),
        passes: inFunction('reqwest::Client::builder().add_root_certificate(own);'),
      },
    },
    {
      id: 'uninitialized-memory',
      facts: shared.uninitialized,
      nodes: ['call_expression'],
      text: /^(?:std::)?mem::uninitialized(?:::<[^>]*>)?\(\)$/,
      example: {
        fails: inFunction('let c: u8 = unsafe { std::mem::uninitialized() };'),
        passes: inFunction('let c = std::mem::MaybeUninit::<u8>::uninit();'),
      },
    },
  ],
};

import { shared } from './shared-facts.ts';
import { harmlessParts, queryWith, secretNames, type TreeLanguage } from './tree-rule.ts';

const inClass = (...lines: string[]) =>
  `class A {\n  fun a(b: String) {\n${lines.map((line) => `    ${line}\n`).join('')}  }\n}\n`;

/** Agreed on by the guides of Android, OWASP's for mobile applications, and those for Java, whose library it uses. */
export const kotlin: TreeLanguage = {
  name: 'Kotlin',
  files: /\.kts?$/,
  path: 'src/A.kt',
  rules: [
    {
      id: 'weak-hash',
      facts: shared.hash,
      nodes: ['call_expression'],
      text: /^(?:java\.security\.)?MessageDigest\s*\.\s*getInstance\(\s*"(?:MD[245]|SHA-?1)"\s*\)$/i,
      example: {
        fails: inClass('MessageDigest.getInstance("MD5").digest(b.toByteArray())'),
        passes: inClass('MessageDigest.getInstance("SHA-256").digest(b.toByteArray())'),
      },
    },
    {
      id: 'weak-cipher',
      facts: shared.cipher,
      nodes: ['call_expression'],
      text: /^(?:javax\.crypto\.)?(?:Cipher|KeyGenerator|SecretKeyFactory)\s*\.\s*getInstance\(\s*"(?:DES(?:ede)?\b|RC[24]\b|ARCFOUR|Blowfish|[\w-]+\/ECB\b)[^"]*"\s*\)$/i,
      example: {
        fails: inClass('Cipher.getInstance("DES/CBC/PKCS5Padding")'),
        passes: inClass('Cipher.getInstance("AES/GCM/NoPadding")'),
      },
    },
    {
      id: 'weak-random',
      facts: shared.random,
      nodes: ['call_expression'],
      text: /^(?:(?:java\.util\.)?Random\(\)|Math\s*\.\s*random\(\)|(?:kotlin\.random\.)?Random\s*\.\s*next\w+\([^()]*\))$/,
      around: secretNames,
      example: {
        fails: inClass('val token = Random().nextLong().toString()'),
        passes: inClass('val token = SecureRandom().nextLong().toString()'),
      },
    },
    {
      id: 'shell-injection',
      facts: shared.shell,
      nodes: ['call_expression'],
      text: /^(?:Runtime\s*\.\s*getRuntime\(\)\s*\.\s*exec\(\s*(?:"[^"]*\$[{\w]|"[^"$]*"\s*\+)|ProcessBuilder\(\s*"(?:\/(?:system\/)?bin\/)?(?:ba|z)?sh"\s*,\s*"-c"\s*,\s*(?:"[^"]*\$[{\w]|"[^"$]*"\s*\+))/,
      example: {
        fails: inClass('Runtime.getRuntime().exec("git log $b")'),
        passes: inClass('ProcessBuilder("git", "log", "--", b).start()'),
      },
    },
    {
      id: 'sql-injection',
      facts: shared.query,
      nodes: ['string_literal', 'binary_expression'],
      text: queryWith('"', '(?:\\$\\{?[a-z]\\w*|"\\s*\\+\\s*[a-z]\\w*)'),
      unless: harmlessParts,
      example: {
        fails: inClass('db.rawQuery("SELECT * FROM a WHERE c = \'$b\'", null)'),
        passes: inClass('db.rawQuery("SELECT * FROM a WHERE c = ?", arrayOf(b))'),
      },
    },
    {
      id: 'certificate-not-checked',
      facts: shared.certificate,
      nodes: ['call_expression'],
      text: /^[\w.]*hostnameVerifier\s*(?:\(\s*\{|\{)\s*_?\w*\s*,\s*_?\w*\s*->\s*true\s*\}|^[\w.]*hostnameVerifier\(\s*NoopHostnameVerifier/i,
      example: {
        fails: inClass('builder.hostnameVerifier { _, _ -> true }'),
        passes: inClass('builder.hostnameVerifier(OkHostnameVerifier)'),
      },
    },
  ],
};

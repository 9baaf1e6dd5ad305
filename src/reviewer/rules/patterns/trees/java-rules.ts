import { shared } from './shared-facts.ts';
import { harmlessOrConstant, queryWith, secretNames, type TreeLanguage } from './tree-rule.ts';

const inClass = (...lines: string[]) =>
  `class A {\n  void a(String b) throws Exception {\n${lines.map((line) => `    ${line}\n`).join('')}  }\n}\n`;

/** Agreed on by OWASP's benchmark and cheat sheets, Find Security Bugs and SEI CERT. */
export const java: TreeLanguage = {
  name: 'Java',
  files: /\.java$/,
  path: 'src/A.java',
  rules: [
    {
      id: 'weak-hash',
      facts: shared.hash,
      nodes: ['method_invocation'],
      text: /^(?:java\.security\.)?MessageDigest\s*\.\s*getInstance\(\s*"(?:MD[245]|SHA-?1)"/i,
      unless: /etag|checksum/i,
      example: {
        fails: inClass('MessageDigest.getInstance("MD5").digest(b.getBytes());'),
        passes: inClass('MessageDigest.getInstance("SHA-256").digest(b.getBytes());'),
      },
    },
    {
      id: 'weak-cipher',
      facts: shared.cipher,
      nodes: ['method_invocation'],
      text: /^(?:javax\.crypto\.)?(?:Cipher|KeyGenerator|SecretKeyFactory)\s*\.\s*getInstance\(\s*"(?:DES(?:ede)?\b|RC[24]\b|ARCFOUR|Blowfish|[\w-]+\/ECB\b)/i,
      example: {
        fails: inClass('Cipher.getInstance("DES/CBC/PKCS5Padding");'),
        passes: inClass('Cipher.getInstance("AES/GCM/NoPadding");'),
      },
    },
    {
      id: 'weak-random',
      facts: shared.random,
      nodes: ['method_invocation', 'object_creation_expression'],
      text: /^(?:new\s+(?:java\.util\.)?Random\(|(?:java\.lang\.)?Math\s*\.\s*random\(\))/,
      around: secretNames,
      example: {
        fails: inClass('String token = Long.toString(new Random().nextLong());'),
        passes: inClass('String token = Long.toString(new SecureRandom().nextLong());'),
      },
    },
    {
      id: 'cookie-without-secure',
      facts: shared.cookie,
      nodes: ['method_invocation'],
      text: /^\w+\s*\.\s*setSecure\(\s*false\s*\)$/,
      example: {
        fails: inClass('cookie.setSecure(false);'),
        passes: inClass('cookie.setSecure(true);'),
      },
    },
    {
      id: 'shell-injection',
      facts: shared.shell,
      nodes: ['method_invocation', 'object_creation_expression'],
      text: /^(?:Runtime\s*\.\s*getRuntime\(\)\s*\.\s*exec\(\s*"[^"]*"\s*\+|new\s+ProcessBuilder\(\s*"(?:\/bin\/)?(?:ba|z)?sh"\s*,\s*"-c"\s*,\s*(?:"[^"]*"\s*\+|String\.format\())/,
      example: {
        fails: inClass('Runtime.getRuntime().exec("git log " + b);'),
        passes: inClass('new ProcessBuilder("git", "log", "--", b).start();'),
      },
    },
    {
      id: 'sql-injection',
      facts: shared.query,
      nodes: ['binary_expression'],
      text: queryWith('"', '"\\s*\\+\\s*[a-z]\\w*'),
      unless: harmlessOrConstant,
      example: {
        fails: inClass('db.executeQuery("SELECT * FROM a WHERE c = \'" + b + "\'");'),
        passes: inClass('db.prepareStatement("SELECT * FROM a WHERE c = ?").setString(1, b);'),
      },
    },
    {
      id: 'foreign-objects',
      facts: shared.objects,
      nodes: ['object_creation_expression'],
      text: /^new\s+(?:java\.io\.)?ObjectInputStream\([^;]*(?:request|req|socket)\w*\s*\.\s*getInputStream\(\)/i,
      example: {
        fails: inClass('new ObjectInputStream(request.getInputStream()).readObject();'),
        passes: inClass('mapper.readValue(request.getInputStream(), Order.class);'),
      },
    },
    {
      id: 'certificate-not-checked',
      facts: shared.certificate,
      nodes: ['object_creation_expression', 'method_invocation'],
      text: /^new\s+(?:NoopHostnameVerifier|AllowAllHostnameVerifier)\(|^\w+\s*\.\s*setHostnameVerifier\(\s*(?:NoopHostnameVerifier\.INSTANCE|\(\s*\w+\s*,\s*\w+\s*\)\s*->\s*true)/,
      example: {
        fails: inClass('client.setHostnameVerifier((host, session) -> true);'),
        passes: inClass('client.setHostnameVerifier(new DefaultHostnameVerifier());'),
      },
    },
  ],
};

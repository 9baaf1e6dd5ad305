import { shared } from './shared-facts.ts';
import { harmlessOrConstant, queryWith, secretNames, type TreeLanguage } from './tree-rule.ts';

const inClass = (...lines: string[]) =>
  `class A {\n  void B(string c) {\n${lines.map((line) => `    ${line}\n`).join('')}  }\n}\n`;

/** Agreed on by .NET's own security rules (CA2300, CA3001, CA5350, CA5351, CA5359, CA5394) and OWASP's cheat sheet. */
export const csharp: TreeLanguage = {
  name: 'C#',
  files: /\.cs$/,
  path: 'src/A.cs',
  rules: [
    {
      id: 'weak-hash',
      facts: shared.hash,
      nodes: ['invocation_expression', 'object_creation_expression'],
      text: /^(?:(?:System\.Security\.Cryptography\.)?(?:MD5|SHA1)\.(?:Create|HashData)\(|new\s+(?:MD5CryptoServiceProvider|SHA1Managed|SHA1CryptoServiceProvider)\b)/,
      unless: /etag|checksum/i,
      example: { fails: inClass('MD5.HashData(bytes);'), passes: inClass('SHA256.HashData(bytes);') },
    },
    {
      id: 'weak-cipher',
      facts: shared.cipher,
      nodes: ['invocation_expression', 'object_creation_expression', 'member_access_expression'],
      text: /^(?:(?:DES|TripleDES|RC2)\.Create\(|new\s+(?:DES|TripleDES|RC2)CryptoServiceProvider\b|CipherMode\.ECB$)/,
      example: {
        fails: inClass('var cipher = DES.Create();'),
        passes: inClass('var cipher = new AesGcm(key, 16);'),
      },
    },
    {
      id: 'weak-random',
      facts: shared.random,
      nodes: ['object_creation_expression', 'member_access_expression'],
      text: /^(?:new\s+Random\(|Random\.Shared$)/,
      around: secretNames,
      example: {
        fails: inClass('var token = new Random().Next();'),
        passes: inClass('var token = RandomNumberGenerator.GetInt32(1000000);'),
      },
    },
    {
      id: 'sql-injection',
      facts: shared.sql,
      nodes: ['binary_expression', 'interpolated_string_expression'],
      text: new RegExp(
        `${queryWith('[$@]*"', '"\\s*\\+\\s*[a-z]\\w*').source}|${queryWith('(?:\\$@?|@\\$)"+', '\\{').source}`,
        'i',
      ),
      unless: harmlessOrConstant,
      example: {
        fails: inClass('new SqlCommand($"SELECT * FROM a WHERE b = \'{c}\'", connection);'),
        passes: inClass('new SqlCommand("SELECT * FROM a WHERE b = @b", connection);'),
      },
    },
    {
      id: 'foreign-objects',
      facts: shared.objects,
      nodes: ['object_creation_expression'],
      text: /^new\s+(?:BinaryFormatter|NetDataContractSerializer|SoapFormatter|LosFormatter)\(/,
      example: {
        fails: inClass('var order = new BinaryFormatter().Deserialize(stream);'),
        passes: inClass('var order = JsonSerializer.Deserialize<Order>(stream);'),
      },
    },
    {
      id: 'certificate-not-checked',
      facts: shared.certificate,
      nodes: ['assignment_expression'],
      text: /Certificate(?:Custom)?ValidationCallback\s*\+?=\s*(?:\([^)]*\)\s*=>\s*true|delegate[^{]*\{\s*return\s+true|HttpClientHandler\.DangerousAcceptAnyServerCertificateValidator)/,
      example: {
        fails: inClass(
          'handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) => true;',
        ),
        passes: inClass('handler.CheckCertificateRevocationList = true;'),
      },
    },
  ],
};

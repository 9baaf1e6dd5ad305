import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactCredentials } from './redact-credentials.ts';
import { generateSample, seededRandom } from './samples/generate-sample.ts';
import { UUID } from './samples/scanner-format.ts';

const random = seededRandom(7);

/** What public scanners once reported and learned to leave alone, and what Learnings are full of; `‹…›` is made anew. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  prose: [
    'Use a strong password: at least twelve characters, and never log a token or a secret.',
    'The access token is validated by the gateway; basic authentication is off. Authorization: required everywhere.',
    'Password reset emails, secret santa, token ring, key results Q3-2024, access 24/7, API v2.1.0.',
    'Bearer tokens belong in the header, not in the query string (see RFC6750).',
    'The key is to keep functions small: pass `options` instead of five flags, and pass "strict" to the parser.',
    'Our password policy, e.g. bcrypt with cost 12, is in docs/security/passwords.md.',
    'Monkey patching, keyboard shortcuts and turkey sandwiches have nothing to do with keys.',
  ],
  'identifiers and digests': [
    `Fixed in commit ‹[0-9a-f]{40}› (was ‹[0-9a-f]{7}›).`,
    `request_id=‹${UUID}› user ‹${UUID}›`,
    `image: nginx@sha256:‹[0-9a-f]{64}›`,
    `"integrity": "sha512-‹[A-Za-z0-9+/]{86}›=="`,
    `golang.org/x/oauth2 v0.15.0 h1:‹[A-Za-z0-9+/]{43}›=`,
    `checksum = "‹[0-9a-f]{64}›"`,
    `SRCREV_moby = "‹[0-9a-f]{40}›"`,
    `license.html;md5=‹[0-9a-f]{32}›`,
    `https://github.com/o/r/blob/‹[0-9a-f]{40}›/src/auth/token.ts#L10-L20`,
    `sourcegraph indexed ‹[0-9a-f]{40}›; datadog: ‹${UUID}›; aws: ‹[0-9a-f]{40}›`,
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI‹[A-Za-z0-9]{43}› joe@host`,
    `kms_key_id: ‹${UUID}›, credentialsId: '‹${UUID}›', key: "cache-v2-‹${UUID}›"`,
    `clientId = "‹${UUID}›" <UserSecretsId>‹${UUID}›</UserSecretsId>`,
    `public_key = "‹[A-Za-z0-9]{43}›" publicToken = "‹[A-Za-z0-9]{43}›" primaryKey=‹[A-Za-z0-9]{30}›`,
    `csrf-token=‹[A-Za-z0-9+/]{60}›== issuerKeyHash=‹[A-Za-z0-9]{30}› key_down_event=‹[A-Za-z0-9]{30}›`,
    `MantleAPI_version=‹[0-9a-f]{40}› Sec-WebSocket-Key: ‹[A-Za-z0-9+/]{22}›==`,
    `tokenAddress: 0x‹[0-9a-fA-F]{40}›`,
    'color: #ff8800; background: #AABBCCDD; margin: 0 auto;',
  ],
  'placeholders and references': [
    'apiKey: process.env.API_KEY, token: config.auth.token2, secret: settings["secret1"]',
    'password: $' + '{DB_PASSWORD}',
    'token: $' + '{{ secrets.DEPLOY_TOKEN }} password: <your-password> key: {{ .Values.key1 }}',
    'export PGPASSWORD="$db_password" API_KEY=%API_KEY% TOKEN=$(cat token.txt)',
    'api_key = "YOUR_API_KEY_1" secret="<API_KEY>" token=xxxxxxxxxxxxxxxx password=********',
    'SOFTLAYER_APIKEY: "insert_key_here" apikey := "some-fake-key-1"',
    'AKIAXXXXXXXXXXXXXXXX ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx hvs.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'GROQ=gsk_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx client_secret=bP88Q~xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'curl -H "Authorization: Bearer $API_KEY" -H "Authorization: Token **********" -u "$USER:$PASS"',
    'curl -u username:token -u "xxx:yyy" --user neo4j:[PASSWORD] -u <user:password>',
    'Authorization: `Bearer $' + '{token}` "Authorization": "Bearer " + token',
    'postgres://user:$' + '{PASSWORD}@host/db amqp://<user>:<password>@broker https://x:{token}@github.com',
    'jdbc:postgresql://$' + '{HOST}/app?user=$' + '{USER}&password=$' + '{PASSWORD}',
    '//registry.npmjs.org/:_authToken=$' + '{NPM_TOKEN}',
    'GITHUB_API_KEY=\nDYNATRACE_API_KEY=\nsnowflake.password=\njdbc.url=',
    'AccountName=<NAME>;AccountKey=<KEY>; AccountName={2};AccountKey={3};',
  ],
  code: [
    'const password: string = generatePassword(32);',
    'function verify(token: string, secret: Buffer): boolean { return check(token, secret, ["HS256"]); }',
    'password: z.string().min(8), token: z.string().optional(), key: keyof Config,',
    'login(username=username, password=password) and char *password = NULL; my_password = True',
    'my_password = request.json_body["hey"]; apiKey: fs.readFileSync("foo"), $password = $input;',
    'def login(self, user = "", password = "", domain = ""):',
    'if (password !== password2) throw new Error("passwords differ");',
    'typeof options.pass === "function" && typeof token === "string"',
    '<input type="password" name="password" autocomplete="current-password" placeholder="Password">',
    '<label for="password">Password</label> usernameLabel:"Username:",passwordLabel:"Password:",ok:"Sign in"',
    "t('auth.password.label'), passwordPlaceholder: 'forms.password', addPassword = '#add-password';",
    `max_tokens=4096, tokenizer="gpt2", access_level: developer, key: "ArrowDown2", keyCode: 13`,
    'queryKey: ["users", id], foreignKey: "user_id", primaryKey: "uuid", cacheKey = "user-v2", schemaKey = "DOC_5"',
    'COMMUNICATION_API_VERSION=rc0.13.0_20230412_0712-SNAPSHOT event-api:rc0.15.0_20231217_1420-SNAPSHOT',
    'secretName: app-tls-2024, secretKeyRef: { name: db, key: password }, keystore.file=env/cert.p12',
    'client_vpn_endpoint_id = aws_ec2_client_vpn_endpoint.client-vpn-endpoint.id',
    'access_token_url="https://github.com/login/oauth/access_token" TokenFile="RTL_INST_CODE.cer"',
    'const keyChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"',
    "get '/passwords/:id/edit' => 'sites/passwords#edit', put '/forgot-password' => 'sites/passwords#update'",
    's.AcceptanceTimeoutSeconds s.makeKubeConfigController = args o.s.b.f.s.DefaultListableBeanFactory',
    "withCredentials([usernamePassword(credentialsId: 'deploy-bot', passwordVariable: 'PASSWORD')])",
    'docker login -u "$USER" -p "$PASS" registry.example.com; mysql -u root -p app < dump.sql',
    '--mount=type=secret,id=jfrog_secret JFROG_SECRET = $(cat /run/secrets/jfrog_secret)',
    'kind: ExternalSecret\ndata:\n  - secretKey: api-key\n    remoteRef:\n      key: my-secrets-manager-secret',
    'kind: Secret\ndata:\n  htpasswd: ""\n  short: YmFyCg==',
  ],
  'code around names of secrets': [
    `cy.get('[data-testid="password"]').should('be.visible'); page.locator('[name="api-token"]').fill(value);`,
    `assert.dom('[data-test-row-label="Service account token"]').hasText('Service account token');`,
    `args = append(args, "-o StrictHostKeyChecking="+c.flagStrictHostKeyChecking, "--token="+token)`,
    `.append("-e REGISTRY_AUTH_TOKEN_REALM=").append(serverBaseUri).append("/realms/")`,
    `{% translate 'New password:' %}</label> t("Password:", "x1")`,
    'UPDATE users SET password = :password, token = @token WHERE id = :id1',
    'Version=4.2.0.0, Culture=neutral, PublicKeyToken=‹[0-9a-f]{16}›',
    'getFirstTokenBetween(nodeOrToken1, nodeOrToken2, skipOptions)',
    'if cb.PrivateKey != privRSA8KeyPem && cb.PrivateKey != privEd255198KeyPem {',
    'crypto.NewKeyFromArmored(hashiCorpPGPPubKey2030); testEncrypt(aesKey, hmacKey, JWEConstants.A256CBC_HS512)',
    'const auth: MyGoogleOAuth2Client = create(); class MyGoogleOAuth2Client extends OAuth2Client {}',
    'org.example.castle.asn1.pkcs.RSAPrivateKey key = org.example.castle.asn1.pkcs.RSAPrivateKey.getInstance(seq)',
    'const ResetLinkSent = PasswordBroker::RESET_LINK_SENT; Password::class; ResetPassword::$toMailCallback2 = null',
    'const current = guestCredentials?.meetingPassword ?? meetingPassword; password: ref?.meetingPassword2,',
    'User.authenticate_by(token: @user.token, password: @user.password) and ENV["PASSWORD"] = @previous_password',
    'CONF_PASSWORD: NEW_PASSWORD} and {CONF_PASSWORD: MOCK_PASSWORD_2}, if (token == QPACK3_TOKEN__STATUS) {',
    'const char *proxyuserpwd = libtest_arg5; fail_unless(!!password == !!passwdstr, password: *const gchar)',
    '<column name="PRIVATE_KEY" type="VARCHAR(4000)"/> <sec:password_hasher class="Acme\\Entity\\User7"/>',
    `Secret *secret \`json:"secret,omitempty"\` Token string \`protobuf:"bytes,6,opt,name=token,proto3"\``,
    `post "command/:token" => "telegram_command#command"; ['password' => 'required|min:8|confirmed']`,
    `credentialData: '{"hashIterations":27500,"algorithm":"pbkdf2-sha256"}', token = "{Controller=Home}"`,
    'WEBHOOK_TOKEN = f"{EXTERNAL_ID}:{WEBHOOK_SECRET}" session_key = f"oa2:{code.user_code}" omit_token = "__omit_%s"',
    'AUTH_USER_MODEL="auth_tests.CustomUserWithM2m" filter(password__startswith="bcrypt$$") PASSWORD_HASHERS=PASSWORD_HASHERS)',
    'password-help-text=Přihlaste se\nforgotPassword=Şifrənizi yeniləyin\n"token.delete": "Διαγραφή"',
    'octopush://USERLOGIN:API_KEY@default and https://(user[:pass]]@host and //npm.example.com/:_authToken=TOKEN',
    'import pwd "github.com/acme/go-secure/password"; gpg --recv-keys ‹[0-9A-F]{40}›; key: linux-npm-‹[0-9a-f]{40}›',
    'password was passed! The unique token `directiveInject()` is special; password: debug2: channel 2',
    `STRIPE=sk_test_placeholder WEBHOOK=whsec_your_webhook_secret_here --pinnedpubkey 'sha256//‹[A-Za-z0-9]{32}›'`,
    'aws_public_cert: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t‹[A-Za-z0-9+/]{80}›',
    'const sessionId = `tab-$' +
      '{this.next++}`; let credentials = "\\(basic.username):\\(basic.password)"; "token": "Symbol(token)"',
    'const link = `?$' + '{Url.stringify({` password: "a.type==\'password\'"',
    '"token": "xoxb-token-from-slack" } RawPropsKey.cpp:_ZN8facebook5reactL14areFieldsEqualEPKcS2_ $key = "4444_report_of_"',
    '"InvalidPassword": "密码长度必须大于%1$s个字符。" hotrod://localhost:11222@admin APP_KEYS=toBeModified1,toBeModified2',
    "api_key: '={{$credentials.apiKey}}', password: '=A{{Date.now()}}Z', 'x-secret': '**hidden**', passwd = *passwds++;",
    'rsa.Decrypt(encryptedSymmetricKey, RSAEncryptionPadding.Pkcs1) isinstance(key, (ed448.Ed448PrivateKey, ed448.Ed448PublicKey))',
    '_IPV4_PAT = r"(?:[0-9]{1,3}.){3}[0-9]{1,3}" OBJ_userPassword="\\x55\\x04\\x23" did:key:z‹[A-Za-z0-9]{48}› use_passphrase=True',
    `gpg.trust_key fingerprint='‹[0-9A-F]{40}›' "ssh_host_key_ed25519_public": "AAAAC3NzaC1lZDI1NTE5‹[A-Za-z0-9]{48}›"`,
    '.containsKeys("‹[0-9a-f]{64}›/layer.tar") withProperties("server.ssl.keyPassword=password", "spring.server.port=0")',
    '--- PASS: TestAttr/sub (0.00s) and Password: password16, case *ed25519.PrivateKey: []string{"key0", "‹[0-9a-f]{16}›"}',
    'newSecretKey("PBKDF2WithHmacSHA256") validation pass. `simdutf::validate_ascii1` --ask-password public/ :sftp:www/',
    '"--authkey="+authKey, "--advertise-routes=172.31.42.0/24"; "host_key": "AAAHD...YDWwq=="',
    'BgNVBAMTDnd3dy5nb29nbGUuY29tMIIBIjANBgkqhkiG9w0B\nAQEFAAOCAQ8AMIIBCgKCAQEA‹[A-Za-z0-9+/]{44}›\n',
    'iam::aws:policy/EC2InstanceProfileForImageBuilder key="lightning_strike_count_last_1hr" api_key="bdc1ChargePower"',
  ],
  addresses: [
    'https://example.com/docs/tokens?lang=en#passwords and postgres://localhost:5432/app and redis://cache:6379/0',
    'https://user@example.com/path mailto:joe@example.com git@github.com:o/r.git http://localhost:5000/<%= @v %>',
    'src/capabilities/api-keys/create-key.ts and docs/security/secret-rotation.md',
    'AUTH_PROVIDER=keycloak KEYCLOAK_URL=http://keycloak:8080/auth TOKEN_TTL=15m SESSION_KEY_FILE=/run/key.pem',
  ],
};

for (const [family, texts] of Object.entries(HARMLESS)) {
  test(`ordinary ${family} stays as it is`, () => {
    for (const template of texts) {
      for (let round = 0; round < 20; round += 1) {
        const text = template.replace(/‹([^›]*)›/g, (_, format: string) => generateSample(format, random));
        assert.equal(redactCredentials(text), text);
      }
    }
  });
}

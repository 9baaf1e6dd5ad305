import type { Rule } from '../rule.ts';
import { BASE62, BASE64, BASE64_URL, HEX, HEX_ANY_CASE, LOWER, token, UPPER, UUID } from '../token-rule.ts';
import { hasAllKinds } from '../values/value-shape.ts';

const accessKeyId = token(
  'aws-access-key-id',
  ['AKIA', 'ASIA', 'ABIA', 'ACCA', 'A3T'],
  `${UPPER}{16,17}(?![A-Za-z0-9])`,
);
const SECRET_NEARBY = /[^A-Za-z0-9/+=]([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dg;

/** The secret of an AWS key is 40 characters without a distinctive prefix; it is recognized only right after a key id. */
const accessKeyPair: Rule = {
  id: 'aws-access-key-pair',
  keywords: accessKeyId.keywords,
  find(scan, _start, end) {
    if (!/^[A-Z0-9]{16}/.test(scan.text.slice(end, end + 16))) return;
    for (const { 1: secret = '', indices } of scan.text.slice(end + 16, end + 140).matchAll(SECRET_NEARBY)) {
      const [from, to] = indices?.[1] ?? [0, 0];
      if (hasAllKinds(secret)) scan.report(end + 16 + from, end + 16 + to);
    }
  },
};

/** Rules for cloud platforms, hosting, databases and networks. */
export const cloudRules: readonly Rule[] = [
  accessKeyId,
  accessKeyPair,
  token('aws-bedrock-key', ['ABSK', 'bedrock-api-key-'], `${BASE64}{60,300}={0,2}`),
  token('aws-mws-token', 'amzn.mws.', UUID, { ignoreCase: true }),
  token('aws-appsync-key', 'da2-', `${LOWER}{26}`),
  token('amazon-oauth-secret', 'amzn1.oa2-cs.v1.', `${HEX}{64}`),
  token('amazon-login-token', ['Atza|', 'Atzr|'], '[\\w+/=-]{60,2000}'),
  token('azure-ad-client-secret', 'Q~', '[\\w~.-]{31,36}', { lead: ['[\\w~.]{3}[0-9]', 4] }),
  token('azure-annotated-key', 'JQQJ9', `${BASE64}{24,31}={0,2}`, { lead: [`${BASE64}{52}`, 52] }),
  token('azure-key-signature', ['+ABa', '+AMC', '+AIoT', '+ARm', '+ASt', '+ACDb'], `${BASE64}{4,8}={0,2}`, {
    lead: [`${BASE64}{32}`, 32],
    anywhere: true,
    notWithin: /[A-Za-z0-9+/]/,
  }),
  token('azure-container-registry', '+ACR', `${BASE62}{6}`, {
    lead: [`${BASE64}{42}`, 42],
    check: () => true,
  }),
  token('azure-function-key', 'AzFu', `${BASE64_URL}{4,8}={0,2}`, { lead: [`${BASE64_URL}{44}`, 44] }),
  token(
    'azure-data-factory-runtime-key',
    'IR@',
    `${BASE64_URL}{36}@[^@\\s]{1,80}@[\\w=-]{0,60}@${BASE64}{40,60}={0,2}`,
  ),
  token('google-api-key', 'AIza', `${BASE64_URL}{35,45}`),
  token('google-oauth-secret', 'GOCSPX-', `${BASE64_URL}{24,40}`),
  token('google-access-token', 'ya29.', '[\\w.-]{20,2000}'),
  token('google-refresh-token', '1//0', `${BASE64_URL}{30,200}`),
  token('google-storage-hmac', ['GOOG1', 'GOOG0'], `${BASE62}{15,70}`),
  token('firebase-messaging-key', ':APA91b', `${BASE64_URL}{100,200}`, {
    lead: [`AAAA${BASE64_URL}{7}`, 11],
  }),
  token('digitalocean-token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], `${HEX_ANY_CASE}{40,80}`, {
    anywhere: true,
  }),
  token('digitalocean-spaces-key', 'DO00', `${UPPER}{16}(?![A-Za-z0-9])`),
  token('alibaba-access-key', 'LTAI', `${BASE62}{16,26}`),
  token('tencent-secret-id', 'AKID', `${BASE62}{32}(?![A-Za-z0-9])`),
  token('scaleway-access-key', 'SCW', `${UPPER}{17}(?![A-Za-z0-9])`),
  token('exoscale-key', 'EXO', `${HEX}{24}(?![A-Za-z0-9])`),
  token('backblaze-key', ['K001', 'K002', 'K003', 'K004', 'K005'], '[\\w/+]{27}(?![\\w/+])'),
  token('yandex-api-key', 'AQVN', `${BASE64_URL}{35,40}`),
  token('yandex-iam-token', 't1.', `[\\w-]{20,400}={0,2}\\.${BASE64_URL}{80,90}={0,2}`),
  token('yandex-oauth-token', ['y0_', 'y1_', 'y2_', 'y3_'], `${BASE64_URL}{50,70}`),
  token('yandex-storage-key', ['YCAJE', 'YCN', 'YCM', 'YCO', 'YCP'], `${BASE64_URL}{20,40}(?![\\w/+-])`, {
    check: hasAllKinds,
  }),
  token('cloudflare-token', ['cfk_', 'cfut_', 'cfat_'], `${BASE62}{40,60}`),
  token('cloudflare-origin-ca-key', 'v1.0-', `${HEX}{24}-${HEX}{100,160}`),
  token('flyio-token', ['fo1_', 'fm1a_', 'fm1r_', 'fm2_'], '[\\w+/,=-]{43,2000}'),
  token('heroku-key', 'HRKU-', `(?:AA)?(?:${BASE64_URL}{36,70})`),
  token('render-key', 'rnd_', `${BASE62}{28,60}`),
  token('vercel-token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], `${BASE62}{20,80}(?:_${BASE62}{20,60})?`),
  token('vercel-blob-token', 'vercel_blob_rw_', `${BASE62}{10,40}_${BASE62}{20,60}`, { anywhere: true }),
  token('netlify-token', ['nfp_', 'nfc_', 'nfo_', 'nfu_'], `${BASE62}{30,60}`),
  token('supabase-token', ['sbp_', 'sb_secret_', 'sbp_oauth_'], `${BASE64_URL}{30,80}`),
  token('planetscale-token', ['pscale_tkn_', 'pscale_oauth_', 'pscale_pw_'], '[\\w=.-]{32,80}', {
    anywhere: true,
    ignoreCase: true,
  }),
  token('neon-key', 'napi_', `${LOWER}{60,80}`),
  token('mongodb-atlas-secret', ['mdb_sa_sk_', 'mdb_sa_id_'], `${BASE64_URL}{24,60}`),
  token('cockroach-key', 'CCDB1_', `${BASE62}{22}_${BASE62}{40}`),
  token('clickhouse-cloud-key', '4b1d', `${BASE62}{38}(?![A-Za-z0-9])`, { check: hasAllKinds }),
  token('aiven-password', 'AVNS_', `${BASE64_URL}{16,30}`),
  token('elastic-key', 'essu_', `${BASE64}{60,200}={0,2}`),
  token('databricks-token', ['dapi', 'dkea', 'dose'], `${HEX}{32,36}(?:-[0-9])?`),
  token('airbyte-dbt-token', ['dbtc_', 'dbtu_', 'dbts_'], `${BASE64_URL}{30,80}=?`),
  token(
    'tailscale-key',
    'tskey-',
    '(?:[a-z]{3,8}-)?[A-Za-z0-9]{8,24}-[A-Za-z0-9]{10,50}(?:-[A-Za-z0-9]{10,50})?',
  ),
  token('defined-networking-key', 'dnkey-', '[\\w=-]{26}-[\\w=-]{52}'),
  token('upcloud-token', 'ucat_', `${BASE62}{24,40}`),
  token('oxide-token', 'oxide-token-', `${HEX}{40}`),
  token('deno-deploy-token', ['ddp_', 'ddo_', 'ddw_'], `${BASE62}{32,44}`),
  token('scalingo-token', ['tk-us-', 'tk-eu-'], `${BASE64_URL}{40,60}`),
  token('coder-session', 'coder_', `${BASE62}{10}-${BASE62}{22}`),
  token('bitwarden-access-token', '0.', `${UUID}\\.${BASE62}{20,40}:${BASE64}{20,40}={0,2}`),
  token('vault-token', ['hvs.', 'hvb.', 'hvr.'], `${BASE64_URL}{24,400}`),
  token('doppler-token', 'dp.', `(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{1,40}\\.)?${BASE62}{40,48}`),
  token('infisical-token', 'st.', `${HEX}{24}\\.${HEX}{32}\\.${HEX}{32}`),
  token(
    'onepassword-secret-key',
    'A3-',
    `${UPPER}{6}-(?:${UPPER}{11}|${UPPER}{6}-${UPPER}{5})(?:-${UPPER}{5}){3}`,
  ),
  token('onepassword-service-token', 'ops_eyJ', `${BASE64}{200,3000}={0,3}`),
  token('prefect-token', ['pnu_', 'pnb_'], `${BASE62}{36,60}`),
  token('castai-key', 'castai_v1_', `${BASE62}{64}_${BASE62}{8}`),
];

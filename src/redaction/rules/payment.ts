import type { Rule } from '../rule.ts';
import { BASE62, BASE64_URL, HEX, HEX_ANY_CASE, LOWER, token, UUID } from '../token-rule.ts';
import { hasDigits, isCodeName } from '../values/value-shape.ts';

/** Rules for payments, shops, shipping and exchanges. */
export const paymentRules: readonly Rule[] = [
  token(
    'stripe-key',
    [
      'sk_test_',
      'sk_live_',
      'sk_prod_',
      'rk_test_',
      'rk_live_',
      'rk_prod_',
      'sk_org_',
      'sk_staging_',
      'sk_production_',
      'ck_staging_',
      'ck_production_',
    ],
    `${BASE62}{10,255}`,
    { anywhere: true },
  ),
  token('stripe-webhook-secret', 'whsec_', '[\\w+/=-]{24,100}', { anywhere: true }),
  token('secret-key-style', 'sk_', `${BASE62}{24,100}`, { check: hasDigits }),
  token('square-access-token', 'EAAA', `${BASE64_URL}{22,80}`, { check: hasDigits }),
  token('square-oauth', ['sq0atp-', 'sq0csp-', 'sq0idb-', 'sq0idp-'], `${BASE64_URL}{22,60}`),
  token(
    'braintree-access-token',
    ['access_token$production$', 'access_token$sandbox$'],
    `${LOWER}{16}(?:\\$${HEX}{32})?`,
    { anywhere: true },
  ),
  token(
    'braintree-tokenization-key',
    ['production_', 'sandbox_'],
    `${LOWER}{8}_${LOWER}{16}(?![A-Za-z0-9_])`,
    { check: hasDigits },
  ),
  token('adyen-key', 'AQE', `[a-z0-9]{5,20}\\.[\\w=-]{50,120}`),
  token(
    'adyen-encoded-key',
    'AQE',
    '[A-Za-z0-9+/]{60,300}={0,2}-[A-Za-z0-9+/=]{20,80}(?:-[\\w+/=<>()~]{6,40})?',
  ),
  token('razorpay-key', ['rzp_live_', 'rzp_test_'], `${BASE62}{14,24}`),
  token(
    'flutterwave-key',
    ['FLWSECK_TEST-', 'FLWSECK_TEST', 'FLWSECK-', 'FLWPUBK_TEST-', 'FLWPUBK-'],
    '[A-Za-z0-9]{12,40}(?:-X)?',
  ),
  token('paystack-style-key', ['live_', 'test_'], `(?:pub_)?${BASE62}{30,64}(?![\\w-])`, {
    check: (body) => hasDigits(body) && !isCodeName(body),
  }),
  token('gocardless-token', 'live_', '[\\w=-]{40}(?![\\w-])', { check: hasDigits }),
  token(
    'shopify-token',
    ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shptka_', 'shpua_', 'shpit_'],
    `${BASE62}{32,64}`,
    { anywhere: true, check: hasDigits },
  ),
  token('shopify-customer-token', 'shcat_', `${BASE62}{20,600}`),
  token('shippo-token', ['shippo_live_', 'shippo_test_'], `${HEX_ANY_CASE}{40}`, { anywhere: true }),
  token('easypost-key', ['EZAK', 'EZTK'], `${BASE62}{54}`),
  token('duffel-token', ['duffel_test_', 'duffel_live_'], '[\\w=-]{40,50}', { anywhere: true }),
  token('lob-key', ['live_', 'test_'], `(?:pub_)?${HEX}{31,35}(?![0-9a-z])`),
  token('plaid-access-token', ['access-sandbox-', 'access-development-', 'access-production-'], UUID),
  token('paddle-key', ['pdl_live_apikey_', 'pdl_sdbx_apikey_'], '\\w{30,100}'),
  token('polar-token', ['polar_oat_', 'polar_pat_', 'polar_at_', 'polar_cs_'], `${BASE62}{30,60}`),
  token('xendit-key', ['xnd_production_', 'xnd_development_'], `${BASE62}{30,80}`),
  token('omise-key', ['skey_', 'skey_test_', 'skey_live_'], `${LOWER}{16,24}(?![a-z0-9_])`),
  token('woocommerce-key', ['ck_', 'cs_'], `${HEX}{40}(?![0-9a-z])`),
  token('coinbase-key-path', 'organizations/', `${UUID}/apiKeys/${UUID}`),
  token('wix-key', 'IST.eyJ', '[\\w.-]{60,3000}'),
  token('ebay-token', 'v^1.1#', '[\\w#^+/=.]{60,3000}'),
  token('telnyx-key', 'KEY0', `${HEX_ANY_CASE}{28,40}_${BASE62}{22}`),
  token('freemius-key', 'sk_', '[^\\s"\']{29}(?=["\'])', { check: hasDigits }),
];

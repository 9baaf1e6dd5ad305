import { formats, placed, type ScannerFormat, UUID } from './scanner-format.ts';

/** The rules of gitleaks, by category: only facts about formats (prefix, alphabet, length). */
export const gitleaksFormats: Readonly<Record<string, readonly ScannerFormat[]>> = {
  cloud: [
    ...formats(`
      alibaba-access-key-id alibaba LTAI[A-Za-z0-9]{20}
      alibaba-secret-key alibaba [a-z0-9]{30}
      aws-access-token aws AKIA[A-Z2-7]{16}
      aws-access-token aws ASIA[A-Z2-7]{16}
      aws-access-token aws ABIA[A-Z2-7]{16}
      aws-access-token aws ACCA[A-Z2-7]{16}
      aws-secret-access-key AWSSecret [A-Za-z0-9/+]{40}
      azure-ad-client-secret azure [A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}
      cisco-meraki-api-key meraki [0-9a-f]{40}
      clickhouse-cloud-api-secret-key clickhouse 4b1d[A-Za-z0-9]{38}
      cloudflare-api-key cloudflare [a-z0-9_-]{40}
      cloudflare-global-api-key cloudflare [a-f0-9]{37}
      cloudflare-origin-ca-key cloudflare v1.0-[a-f0-9]{24}-[a-f0-9]{146}
      confluent-access-token confluent [a-z0-9]{16}
      confluent-secret-key confluent [a-z0-9]{64}
      databricks-api-token databricks dapi[a-f0-9]{32}
      datafactory-shir-token factory IR@${UUID}@adf-[a-z]{8}@we@[A-Za-z0-9+/]{43}=
      defined-networking-api-token dnkey dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}
      digitalocean-access-token do doo_v1_[a-f0-9]{64}
      digitalocean-pat do dop_v1_[a-f0-9]{64}
      digitalocean-refresh-token do dor_v1_[a-f0-9]{64}
      doppler-api-token doppler dp.pt.[A-Za-z0-9]{43}
      fastly-api-token fastly [a-z0-9=_-]{32}
      flyio-access-token fly fo1_[\\w-]{43}
      flyio-access-token fly fm1a_[A-Za-z0-9+/]{100}
      flyio-access-token fly fm2_[A-Za-z0-9+/]{100}
      gcp-api-key gcp AIza[\\w-]{35}
      hashicorp-tf-api-token hashicorpToken [a-z0-9]{14}.atlasv1.[a-z0-9_=-]{67}
      heroku-api-key heroku ${UUID}
      heroku-api-key-v2 heroku HRKU-AA[\\w-]{58}
      netlify-access-token netlify [a-z0-9=_-]{40,46}
      1password-secret-key 1password A3-[A-Z0-9]{6}-[A-Z0-9]{11}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}
      1password-secret-key 1password A3-[A-Z0-9]{6}-[A-Z0-9]{6}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}
      1password-service-account-token 1password ops_eyJ[A-Za-z0-9+/]{250,300}=
      openshift-user-token openshift sha256~[\\w-]{43}
      planetscale-api-token planetscale pscale_tkn_[\\w=.-]{32,64}
      planetscale-oauth-token planetscale pscale_oauth_[\\w=.-]{32,64}
      planetscale-password planetscale pscale_pw_[\\w=.-]{32,64}
      prefect-api-token prefect pnu_[A-Za-z0-9]{36}
      pulumi-api-token pulumi pul-[a-f0-9]{40}
      scalingo-api-token scalingo tk-us-[\\w-]{48}
      vault-batch-token vault hvb.[\\w-]{138,212}
      vault-service-token vault hvs.[\\w-]{90,120}
      vault-service-token vault s.[0-9][A-Za-z0-9]{23}
      yandex-access-token yandex t1.[A-Za-z0-9_-]{20}.[A-Za-z0-9_-]{86}
      yandex-api-key yandex AQVN[A-Za-z0-9_-]{35,38}
      yandex-aws-access-token yandex YC[A-Za-z0-9_-]{38}
      castai-api-key CastAI castai_v1_[A-Za-z0-9]{64}_[A-Za-z0-9]{8}`),
  ],
  'source control': [
    ...formats(`
      github-pat github ghp_[A-Za-z0-9]{36}
      github-oauth github gho_[A-Za-z0-9]{36}
      github-app-token github ghu_[A-Za-z0-9]{36}
      github-app-token github ghs_[A-Za-z0-9]{36}
      github-refresh-token github ghr_[A-Za-z0-9]{36}
      github-fine-grained-pat github github_pat_[\\w]{82}
      gitlab-cicd-job-token gitlab glcbt-[0-9a-zA-Z]{1,5}_[\\w-]{20}
      gitlab-deploy-token gitlab gldt-[\\w-]{20}
      gitlab-feature-flag-client-token gitlab glffct-[\\w-]{20}
      gitlab-feed-token gitlab glft-[\\w-]{20}
      gitlab-incoming-mail-token gitlab glimt-[\\w-]{25}
      gitlab-kubernetes-agent-token gitlab glagent-[\\w-]{50}
      gitlab-oauth-app-secret gitlab gloas-[\\w-]{64}
      gitlab-pat gitlab glpat-[\\w-]{20}
      gitlab-pat-routable gitlab glpat-[\\w-]{27}.[0-9a-z]{9}
      gitlab-ptt gitlab glptt-[0-9a-f]{40}
      gitlab-rrt gitlab GR1348941[\\w-]{20}
      gitlab-runner-authentication-token gitlab glrt-[\\w-]{20}
      gitlab-runner-authentication-token-routable gitlab glrt-t1_[\\w-]{27}.[0-9a-z]{9}
      gitlab-scim-token gitlab glsoat-[\\w-]{20}
      artifactory-api-key artifactory AKCp[A-Za-z0-9]{69}
      artifactory-reference-token artifactory cmVmd[A-Za-z0-9]{59}
      atlassian-api-token atlassian [a-z0-9]{20}[a-f0-9]{4}
      atlassian-api-token jira ATATT3[\\w=-]{186}
      bitbucket-client-id bitbucket [a-z0-9]{32}
      bitbucket-client-secret bitbucket [a-z0-9=_-]{64}
      clojars-api-token clojars CLOJARS_[a-z0-9]{60}
      codecov-access-token codecov [a-z0-9]{32}
      droneci-access-token droneci [a-z0-9]{32}
      harness-api-key harness pat.[\\w-]{22}.[A-Za-z0-9]{24}.[A-Za-z0-9]{20}
      infracost-api-token infracost ico-[A-Za-z0-9]{32}
      jfrog-api-key jfrog [a-z0-9]{73}
      jfrog-identity-token artifactory [a-z0-9]{64}
      npm-access-token npm npm_[A-Za-z0-9]{36}
      octopus-deploy-api-key octopus API-[A-Z0-9]{26}
      pypi-upload-token pypi pypi-AgEIcHlwaS5vcmc[\\w-]{50,200}
      rubygems-api-token rubygems rubygems_[a-f0-9]{48}
      sidekiq-secret BUNDLE_ENTERPRISE__CONTRIBSYS__COM [a-f0-9]{8}:[a-f0-9]{8}
      snyk-api-token snyk_key ${UUID}
      sonar-api-token sonar_login [a-z0-9=_-]{40}
      sourcegraph-access-token sourcegraph sgp_[a-f0-9]{16}_[a-f0-9]{40}
      sourcegraph-access-token sourcegraph sgp_[a-f0-9]{40}
      sourcegraph-access-token sourcegraph [a-f0-9]{40}
      travisci-access-token travis [a-z0-9]{22}
      chieftools-pat chieftools ctp_[A-Za-z0-9]{36}`),
  ],
  ai: [
    ...formats(`
      anthropic-api-key anthropic sk-ant-api03-[\\w-]{93}AA
      anthropic-admin-api-key anthropic sk-ant-admin01-[\\w-]{93}AA
      claude-code-oauth-token anthropic sk-ant-oat01-[\\w-]{95}
      cohere-api-token cohere [A-Za-z0-9]{40}
      groq-api-key groq gsk_[A-Za-z0-9]{48}
      huggingface-access-token huggingface hf_[A-Za-z]{34}
      huggingface-organization-api-token huggingface api_org_[A-Za-z]{34}
      langsmith-api-key langsmith lsv2_pt_[a-z0-9]{32}_[a-z0-9]{10}
      openai-api-key openai sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}
      openai-api-key openai sk-proj-[\\w-]{74}T3BlbkFJ[\\w-]{74}
      openai-api-key openai sk-svcacct-[\\w-]{58}T3BlbkFJ[\\w-]{58}
      perplexity-api-key perplexity pplx-[A-Za-z0-9]{48}
      privateai-api-token privateAI [a-z0-9]{32}`),
  ],
  payment: [
    ...formats(`
      adyen-api-key adyen AQEyhmfx.[A-Za-z0-9_=-]{60}
      adyen-client-key adyen test_[A-Za-z0-9]{34}
      bittrex-access-key bittrex [a-z0-9]{32}
      braintree-access-token braintree access_token$sandbox$[a-z0-9]{16}
      braintree-tokenization-key braintree sandbox_[a-z0-9]{8}_[a-z0-9]{16}
      chargebee-access-token chargebee test_[A-Za-z0-9]{32}
      coinbase-access-token coinbase [a-z0-9_-]{64}
      duffel-api-token duffel duffel_test_[A-Za-z0-9_=-]{43}
      easypost-api-token easypost EZAK[A-Za-z0-9]{54}
      easypost-test-api-token easypost EZTK[A-Za-z0-9]{54}
      etsy-access-token etsy [a-z0-9]{24}
      finicity-api-token finicity [a-f0-9]{32}
      finicity-client-secret finicity [a-z0-9]{20}
      finnhub-access-token finnhub [a-z0-9]{20}
      flutterwave-encryption-key flutterwave FLWSECK_TEST-[a-h0-9]{12}
      flutterwave-public-key flutterwave FLWPUBK_TEST-[a-h0-9]{32}-X
      flutterwave-secret-key flutterwave FLWSECK_TEST-[a-h0-9]{32}-X
      freemius-secret-key secret_key sk_[A-Za-z0-9]{29}
      freshbooks-access-token freshbooks [a-z0-9]{64}
      gocardless-api-token gocardless live_[A-Za-z0-9_=-]{40}
      kraken-access-token kraken [a-z0-9/=_+-]{80,90}
      kucoin-access-token kucoin [a-f0-9]{24}
      kucoin-secret-key kucoin ${UUID}
      lob-api-key lob test_[a-f0-9]{35}
      lob-pub-api-key lob test_pub_[a-f0-9]{31}
      plaid-api-token plaid access-sandbox-${UUID}
      plaid-client-id plaid [a-z0-9]{24}
      plaid-secret-key plaid [a-z0-9]{30}
      shippo-api-token shippo shippo_live_[a-f0-9]{40}
      shopify-access-token shopify shpat_[a-fA-F0-9]{32}
      shopify-custom-access-token shopify shpca_[a-fA-F0-9]{32}
      shopify-private-app-access-token shopify shppa_[a-fA-F0-9]{32}
      shopify-shared-secret shopify shpss_[a-fA-F0-9]{32}
      square-access-token square sq0atp-[\\w-]{22}
      square-access-token square EAAA[\\w-]{56}
      squarespace-access-token squarespace ${UUID}
      stripe-access-token stripe sk_test_[A-Za-z0-9]{30}
      stripe-access-token stripe rk_live_[A-Za-z0-9]{99}
      stripe-access-token stripe sk_prod_[A-Za-z0-9]{24}`),
  ],
  messaging: [
    ...formats(`
      beamer-api-token beamer b_[a-z0-9=_-]{44}
      discord-api-token discord [a-f0-9]{64}
      discord-client-id discord [0-9]{18}
      discord-client-secret discord [a-z0-9=_-]{32}
      facebook-access-token facebook [0-9]{15}|[\\w-]{27}
      facebook-page-access-token facebook EAAM[A-Za-z0-9]{100}
      facebook-page-access-token facebook EAAC[A-Za-z0-9]{200}
      facebook-secret facebook [a-f0-9]{32}
      flickr-access-token flickr [a-z0-9]{32}
      gitter-access-token gitter [a-z0-9_-]{40}
      hubspot-api-key hubspot ${UUID}
      intercom-api-key intercom [a-z0-9=_-]{60}
      linkedin-client-id linkedin [a-z0-9]{14}
      linkedin-client-secret linkedin [a-z0-9]{16}
      mailchimp-api-key mailchimp [a-f0-9]{32}-us20
      mailgun-private-api-token mailgun key-[a-f0-9]{32}
      mailgun-pub-key mailgun pubkey-[a-f0-9]{32}
      mailgun-signing-key mailgun [a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8}
      mattermost-access-token mattermost [a-z0-9]{26}
      messagebird-api-token messagebird [a-z0-9]{25}
      messagebird-client-id message_bird ${UUID}
      nytimes-access-token nytimes [a-z0-9=_-]{32}
      sendbird-access-id sendbird ${UUID}
      sendbird-access-token sendbird [a-f0-9]{40}
      sendgrid-api-token sendgrid SG.[A-Za-z0-9=_.-]{66}
      sendinblue-api-token sendinblue xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}
      slack-app-token slack xapp-1-A[A-Z0-9]{10}-[0-9]{13}-[a-z0-9]{64}
      slack-bot-token slack xoxb-[0-9]{12}-[0-9]{12}-[A-Za-z0-9]{24}
      slack-config-access-token slack xoxe.xoxp-1-[A-Z0-9]{163}
      slack-config-refresh-token slack xoxe-1-[A-Z0-9]{146}
      slack-legacy-bot-token slack xoxb-[0-9]{12}-[A-Za-z0-9]{24}
      slack-legacy-token slack xoxs-[0-9]{10}-[0-9]{10}-[0-9]{10}-[a-f0-9]{10}
      slack-legacy-workspace-token slack xoxa-2-[0-9a-zA-Z]{8,48}
      slack-user-token slack xoxp-[0-9]{12}-[0-9]{12}-[0-9]{12}-[a-zA-Z0-9-]{32}
      telegram-bot-api-token telegram [0-9]{8}:A[a-zA-Z0-9_-]{34}
      twilio-api-key twilio SK[0-9a-f]{32}
      twitch-api-token twitch [a-z0-9]{30}
      twitter-access-secret twitter [a-z0-9]{45}
      twitter-access-token twitter [0-9]{18}-[a-zA-Z0-9]{30}
      twitter-api-key twitter [a-z0-9]{25}
      twitter-api-secret twitter [a-z0-9]{50}
      twitter-bearer-token twitter AAAAAAAAAAAAAAAAAAAAAA[a-zA-Z0-9%]{80,100}
      zendesk-secret-key zendesk [a-z0-9]{40}`),
    {
      rule: 'slack-webhook-url',
      owner: 'slack',
      format: 'https://hooks.slack.com/services/¦T[A-Z0-9]{8}/B[A-Z0-9]{8}/[A-Za-z0-9]{24}',
    },
    {
      rule: 'microsoft-teams-webhook',
      owner: 'teams',
      format: `https://[a-z]{8}.webhook.office.com/webhookb2/¦${UUID}@${UUID}/IncomingWebhook/[a-z0-9]{32}/${UUID}`,
    },
  ],
  operations: [
    ...formats(`
      adafruit-api-key adafruit [a-z0-9_-]{32}
      adobe-client-id adobe [a-f0-9]{32}
      adobe-client-secret adobe p8e-[a-z0-9]{32}
      age-secret-key age AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}
      airtable-api-key airtable [a-z0-9]{17}
      algolia-api-key algolia [a-z0-9]{32}
      asana-client-id asana [0-9]{16}
      asana-client-secret asana [a-z0-9]{32}
      authress-service-client-access-key authress sc_[a-z0-9]{20}.[a-z0-9]{4}.acc_[a-z0-9]{16}.[a-zA-Z0-9]{60}
      contentful-delivery-api-token contentful [a-z0-9=_-]{43}
      datadog-access-token datadog [a-z0-9]{40}
      dropbox-api-token dropbox [a-z0-9]{15}
      dropbox-long-lived-api-token dropbox [a-z0-9]{11}AAAAAAAAAA[a-z0-9_=-]{43}
      dropbox-short-lived-api-token dropbox sl.[a-z0-9_=-]{135}
      dynatrace-api-token dynatrace dt0c01.[A-Z0-9]{24}.[A-Z0-9]{64}
      frameio-api-token frameio fio-u-[a-z0-9_=-]{64}
      grafana-api-key grafana eyJrIjoi[A-Za-z0-9]{70}
      grafana-cloud-api-token grafana glc_[A-Za-z0-9+/]{32,100}
      grafana-service-account-token grafana glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}
      intra42-client-secret intra s-s4t2ud-[a-f0-9]{64}
      launchdarkly-access-token launchdarkly [a-z0-9=_-]{40}
      linear-api-key linear lin_api_[A-Za-z0-9]{40}
      linear-client-secret linear [a-f0-9]{32}
      looker-client-id looker [a-z0-9]{20}
      looker-client-secret looker [a-z0-9]{24}
      mapbox-api-token mapbox pk.[a-z0-9]{60}.[a-z0-9]{22}
      maxmind-license-key maxmind [A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk
      new-relic-browser-api-token new-relic NRJS-[a-f0-9]{19}
      new-relic-insert-key newrelic NRII-[A-Za-z0-9-]{32}
      new-relic-user-api-id new_relic [a-z0-9]{64}
      new-relic-user-api-key new-relic NRAK-[A-Z0-9]{27}
      notion-api-token notion ntn_[0-9]{11}[A-Za-z0-9]{35}
      okta-access-token okta 00[\\w=-]{40}
      postman-api-token postman PMAK-[a-f0-9]{24}-[a-f0-9]{34}
      rapidapi-access-token rapidapi [a-z0-9_-]{50}
      readme-api-token readme rdme_[a-z0-9]{70}
      sentry-access-token sentry [a-f0-9]{64}
      sentry-org-token sentry sntrys_eyJpYXQiO[A-Za-z0-9+/]{60}LCJyZWdpb25fdXJs[A-Za-z0-9+/]{40}_[A-Za-z0-9+/]{43}
      sentry-user-token sentry sntryu_[a-f0-9]{64}
      settlemint-application-access-token settlemint sm_aat_[a-zA-Z0-9]{16}
      settlemint-personal-access-token settlemint sm_pat_[a-zA-Z0-9]{16}
      settlemint-service-access-token settlemint sm_sat_[a-zA-Z0-9]{16}
      sumologic-access-id sumo su[a-zA-Z0-9]{12}
      sumologic-access-token sumo [a-zA-Z0-9]{64}
      typeform-api-token typeform tfp_[a-z0-9_.=-]{59}`),
  ],
  generic: [
    ...formats(`
      generic-api-key some_api_token_123 [A-Za-z0-9]{60}
      generic-api-key generic [A-Za-z0-9]{32}
      generic-api-key credentials [0-9a-f]{64}
      generic-api-key creds [A-Za-z0-9]{30}
      generic-api-key private-key [A-Za-z0-9]{100}
      generic-api-key passwd [A-Za-z0-9]{30}
      generic-api-key client_secret [0-9a-f]{64}
      generic-api-key mySecretString [A-Za-z0-9]{30}
      generic-api-key api_token ${UUID}
      hashicorp-tf-password administrator_login_password [a-z0-9=_-]{8,20}`),
  ],
  structures: [
    placed(
      'jwt',
      'eyJhbGciOiJIUzI1NiJ9.eyJ[A-Za-z0-9_-]{60}.[A-Za-z0-9_-]{43}',
      'a ‹s› b',
      '‹s›',
      'JWT := ‹s›',
    ),
    placed('jwt-base64', 'ZXlKaGJHY2lPaU[A-Za-z0-9+/]{100}', 'x = "‹s›"', '‹s›'),
    placed(
      'curl-auth-user',
      '[A-Za-z0-9]{16}',
      "curl -u 'api:‹s›' https://localhost",
      'curl -k --user dev:‹s› https://x',
      'curl https://x \\\n  -u "joe:‹s›"',
      'curl -u ":‹s›" https://x',
      'curl -u "‹s›:" https://x',
    ),
    placed(
      'curl-auth-header',
      '[A-Za-z0-9]{32}',
      'curl -H "Authorization: Bearer ‹s›"',
      "curl --header 'Authorization:  ‹s›'",
      'curl -H "Authorization: Token ‹s›"',
      'curl -H "apikey: ‹s›"',
      'curl -H "X-Octopus-ApiKey: ‹s›"',
      'curl -H "Api-Token: ‹s›"',
      'curl -H "Authorization: Basic ‹s›="',
    ),
    placed('gitlab-session-cookie', '[0-9a-z]{32}', 'Cookie: _gitlab_session=‹s›; x=1'),
    placed(
      'kubernetes-secret-yaml',
      '[A-Za-z0-9+/]{40}=',
      'apiVersion: v1\nkind: Secret\ndata:\n  extra: ‹s›\n',
      "apiVersion: v1\ndata:\n  other: '‹s›'\nkind: Secret\n",
      'kind: "Secret"\nmetadata:\n  name: x\ndata:\n  .dockercfg: |\n    ‹s›\n',
    ),
    placed(
      'nuget-config-password',
      '[A-Za-z0-9!]{12}',
      '<add key="ClearTextPassword" value="‹s›" />',
      '<add key="Password" value="‹s›"/>',
    ),
    placed(
      'private-key',
      '[A-Za-z0-9+/]{64}',
      '-----BEGIN RSA PRIVATE KEY-----\n‹s›\n-----END RSA PRIVATE KEY-----',
      '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n‹s›\n-----END PGP PRIVATE KEY BLOCK-----',
      'key: "-----BEGIN PRIVATE KEY-----\\n‹s›\\n-----END PRIVATE KEY-----\\n"',
    ),
    placed(
      'sidekiq-sensitive-url',
      '[a-f0-9]{8}:¦[a-f0-9]{8}',
      'https://‹s›@gems.contribsys.com/',
      'http://‹s›@enterprise.contribsys.com',
    ),
    placed(
      'database-password',
      '[A-Za-z0-9!?]{12}',
      'db_password = "‹s›"',
      'DATABASE_PASSWORD=‹s›',
      'pwd: ‹s›',
    ),
    placed('django-insecure-secret-key', '[a-z0-9!%_&*^)]{40}', 'SECRET_KEY = "django-insecure-‹s›"'),
  ],
};

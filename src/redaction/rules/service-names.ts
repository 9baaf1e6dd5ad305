import type { Scan } from '../find/scan.ts';
import type { Rule } from '../rule.ts';
import { isAlphanumeric, UUID } from '../token-rule.ts';
import { isJoinedFromWords, readsLikeName } from '../values/letter-pairs.ts';
import { endOfValue } from '../values/read-assignment.ts';
import { isReference } from '../values/reference-value.ts';
import { isHarmlessName } from '../values/secret-names.ts';
import {
  isCodeName,
  isGrouped,
  isIdentifierOrDigest,
  isLongNumber,
  isScrambled,
  looksRandom,
} from '../values/value-shape.ts';

/** Services whose keys have no distinctive prefix, by names that are not ordinary words. */
const SERVICES = `
  abuseipdb abyssale accuweather adafruitio adzuna aeroworkflow airbrake airvisual alconost alegra aletheiaapi
  alienvault anypoint api2cart apideck apiflash apifonica apilayer apimatic apimetrics apitemplate appcues appfollow
  appointedd appoptics appsynergy apptivo autoklose aviationstack axonaut aylien ayrshare bannerbear baremetrics
  beebole besnappy betterstack billomat bitbar bitcoinaverage bitmex blazemeter blitapp blocknative blynk bombbomb
  boostnote borgbase brandfetch browshot buddyns budibase bugherd bulksms buttercms caflou calendarific calendly
  calorieninja campayn cannyio capsulecrm captaindata carboninterface cashboard caspio censys centralstationcrm cexio
  chartmogul chatfule checkvist circleci clearbit clickhelp clicksend cliengo clientary clinchpad clockify
  clockworksms closecrm cloudconvert cloudelements cloudimage cloudmersive cloudplan cloudsight cloudsmith cloverly
  cloze clustdoc codemagic codequiry coinapi coinlayer coinlib collect2 commercejs companyhub conversiontools
  convertapi convertkit countrylayer craftmypdf crowdin cryptocompare currencycloud currencyfreaks currencylayer
  currencyscoop currentsapi customerguru customerio customer_io d7network dailyco dareboost datagov deepai
  detectify detectlanguage dfuse diffbot diggernaut disqus dnscheck docparser documo docusign dotdigital dovico
  dronahq dwolla dynalist dyspatch eagleeyenetworks easyinsight easy-insight easypost ecostruxureit edamam edenai
  elasticemail enablex endorlabs ethplorer eventbrite everhour exchangerate exportsdk extractorapi faceplusplus
  fastforex feedier fetchrss fibery fileio finage financialmodelingprep fixerio fleetbase flexport flightapi
  flightlabs flightstats flowflu formbucket formcraft formsite foursquare freshdesk fullstory fxmarket geckoboard
  gengo geoapify geocodify geocodio geoipifi getemails getgeoapi getgist getsandbox glassnode gocanvas godaddy
  goodday graphcms graphhopper groovehq gtmetrix guardianapi gumroad gyazo happyscribe hellosign helpcrunch helpscout
  hereapi hiveage holidayapi html2pdf hybiscus hypertrack iconfinder iexapis iexcloud imagekit imagga insightly
  instabot instamojo interseller intrinio invoiceocean ip2location ipapi ipinfodb ipquality jotform jumpcloud
  jupiterone kanbantool karmacrm keenio kickbox klaviyo klipfolio knapsackpro kontent kylas languagelayer leadfeeder
  lemlist lemonsqueezy lendflow lessannoyingcrm lexigram linenotify linkpreview liveagent livestorm loadmill locationiq
  loggly loginradius logzio lokalise loyverse lunchmoney madkudu magicbell mailboxlayer mailerlite mailmodo
  mailgun mailsac mapquest marketstack mavenlink maxmind meaningcloud mediastack meistertask mesibo metaapi metabase
  metrilo mindmeister mixmax mixpanel mockaroo monkeylearn moonclerk moosend moralis mrticktock myfreshworks myintervals
  nasdaqdatalink nethunt netcore_api netsuite neutrinoapi newsapi newscatcher nexmo nftport nicereply nightfall nozbe
  numverify nutritionix nylas oanda omnisend onedesk onelogin onepagecrm onesignal onfleet oopspam opencagedata
  openuv openvpn optimizely overloop owlbot packagecloud pagarme pandadoc pandascore paperform paralleldots parsehub
  partnerstack pastebin paydirt paymoapp paymongo paystack pdflayer pdfshift peopledatalabs pepipost photoroom
  pinata pipedream pivotaltracker planviewleankit planyo plivo podio pollsapi poloniex positionstack postageapp
  postbacks powrbot prodpad prospectcrm protocolsio proxycrawl purestake pyowm qualaroo qubole reachmail
  reallysimplesystems rebrandly redhatpyxis repairshopr replyio requestfinance restpack revampcrm ringcentral ritekit
  rocketreach rockset route4me rownd runrunit runscope salesblink salescookie salesflare salesmate satismeter scalr
  scrapeowl scraperapi scraperbox scrapestack scrapfly scrapingant scrapingbee scraping_bee screenshotapi
  screenshotlayer scrutinizer securitytrails sendbird selectpdf sendinblue serphouse serpstack sheety sherpadesk shipday shodan
  shotstack shutterstock signalwire signaturit signupgenius sigopt simfin simplesat simplynoted simvoly siteleaf skrapp
  skybiometry smartsheet smartystreets smooch snipcart sparkpost spectralops speechtext spoonacular sportsmonk sslmate
  statuscake statuspage statuspal stitchdata stockdata storecove stormboard stormglass storyblok storychief strava
  stripo sugester supernotes surveyanyplace surveybot surveysparrow survicate swiftype tallyfy tatumio taxjar teamgate
  teamworkcrm teamworkdesk teamworkspaces tefter teletype textmagic theoddsapi thinkific thousandeyes ticketmaster
  tickettailor tiingo timecamp timezoneapi tmetric todoist toggl tokeet tomorrowio tradier transferwise travelpayouts
  twelvedata tyntec typetalk uclassify unifyid unplugg upcdatabase uplead uploadcare uptimerobot upwave urlscan
  userflow userstack vatlayer vbout verimail veriphone versioneye viewneo virustotal visualcrossing voiceflow voicegain
  voodoosms vouchery vpnapi walkscore weatherbit web3storage webflow webscraper webscraping websitepulse wepay whoxy
  wistia worksnaps workstack worldcoinindex worldweather wrike youneedabudget yousign zenkit zenrows zenscrape
  zenserp zeplin zerobounce zerotier zipapi zipbooks zipcodeapi zipcodebase zonkafeedback zulipchat`
  .trim()
  .split(/\s+/);

/** The words between a service and its key in a sentence: `mixpanel key `, `liveagent '`, `smooch access token: `. */
const PHRASE = /\w{0,30}((?:[ \t]{1,3}[A-Za-z_]{1,20}){0,3})[ \t]{0,3}(?:[:=-][ \t]{0,3}|[ \t])["'`]?/y;
const KEY = new RegExp(`(?:${UUID}|[\\w+.:~-]{8,200}={0,2})(?![\\w/+-])`, 'y');

/** Finds keys by the name of the service before them. */
export const serviceKeyRule: Rule = {
  id: 'service-key',
  keywords: SERVICES,
  find(scan, start, end) {
    const assignment = scan.assignmentAt(start, end);
    if (assignment === undefined || assignment.joint === 'space') {
      if (!isAlphanumeric(scan.text.charCodeAt(start - 1))) findAfterPhrase(scan, start, end);
      return;
    }
    const { name, value, valueStart } = assignment;
    const isLabelled = isLabel(name);
    if (isHarmlessName(name) || !isKey(value, isLabelled || name.length === end - start)) return;
    if (!isLabelled && (readsLikeName(value) || isJoinedFromWords(value))) return;
    scan.report(valueStart, endOfValue(scan.text, assignment));
  },
};

function findAfterPhrase(scan: Scan, start: number, end: number): void {
  PHRASE.lastIndex = end;
  const phrase = PHRASE.exec(scan.text);
  if (phrase === null) return;
  KEY.lastIndex = PHRASE.lastIndex;
  const key = KEY.exec(scan.text)?.[0];
  const label = scan.text.slice(start, PHRASE.lastIndex);
  if (key === undefined || !isKey(key, isLabel(label))) return;
  scan.report(PHRASE.lastIndex, PHRASE.lastIndex + key.length);
}

/**
 * Whether the name labels its value as a key. `PRIVATE` and `access` are as significant as `key` here, because the service is
 * known.
 */
function isLabel(name: string): boolean {
  return /private|access|secret|key|token/i.test(name) && !isHarmlessName(name);
}

/** A digest or a UUID may be a commit or a record, unless the name implies a key. */
function isKey(value: string, isPromised: boolean): boolean {
  if (isPromised && (isLongNumber(value) || isScrambled(value) || isGrouped(value))) return true;
  if (!looksRandom(value, isPromised ? 8 : 20, 2.8) || /[^\w+/=.:~-]/.test(value)) return false;
  if (isReference(value) || isCodeName(value) || value.includes('//')) return false;
  return isPromised || !isIdentifierOrDigest(value);
}

/**
 * The formats of tokens and keys that are secret wherever they are, because their provider made them recognisable. Each
 * pattern has a fixed prefix, and reads a text once.
 */

export interface TokenFormat {
  readonly provider: string;
  /** The token, without flags and groups. */
  readonly pattern: string;
}

// biome-ignore format: a table
export const TOKEN_FORMATS: readonly TokenFormat[] = [
  { provider: 'Airtable', pattern: 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}' },
  { provider: 'Alibaba Cloud', pattern: 'LTAI[A-Za-z0-9]{12,24}' },
  { provider: 'Amazon Web Services', pattern: '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}' },
  { provider: 'Anthropic', pattern: 'sk-ant-[\\w-]{20,120}' },
  { provider: 'Atlassian', pattern: 'AT(?:ATT|CTT|BB)[A-Za-z0-9+/=_-]{20,220}' },
  { provider: 'Databricks', pattern: 'dapi[a-f0-9]{32}(?:-\\d)?' },
  { provider: 'DigitalOcean', pattern: 'do[opr]_v1_[a-f0-9]{64}' },
  { provider: 'Discord', pattern: '[MNO][A-Za-z\\d_-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}' },
  { provider: 'Docker', pattern: 'dckr_(?:pat|oat)_[\\w-]{20,40}' },
  { provider: 'Doppler', pattern: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9.]{32,64}' },
  { provider: 'Dropbox', pattern: 'sl\\.(?:u\\.)?[\\w-]{40,1500}' },
  { provider: 'Figma', pattern: 'fig[du]_[\\w-]{20,60}' },
  { provider: 'Fly.io', pattern: 'fm[12][ar]?_[A-Za-z0-9+/=_-]{20,1000}' },
  { provider: 'GitHub', pattern: '(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})' },
  { provider: 'GitLab', pattern: 'gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent|oas)-[\\w.-]{20,60}' },
  { provider: 'Google API', pattern: 'AIza[\\w-]{35}' },
  { provider: 'Google OAuth', pattern: '(?:ya29\\.[\\w-]{20,1000}|GOCSPX-[\\w-]{28}|1//0[\\w-]{30,120})' },
  { provider: 'Grafana', pattern: 'gl(?:sa_[A-Za-z0-9]{32}_[a-f0-9]{8}|c_[A-Za-z0-9+/=]{32,400})' },
  { provider: 'HashiCorp Terraform', pattern: '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,70}' },
  { provider: 'HashiCorp Vault', pattern: 'hv[sbr]\\.[\\w-]{24,200}' },
  { provider: 'Heroku', pattern: 'HRKU-[\\w-]{36,64}' },
  { provider: 'HubSpot', pattern: 'pat-(?:na|eu|ap)\\d-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}' },
  { provider: 'Hugging Face', pattern: 'hf_[A-Za-z]{30,40}' },
  { provider: 'Linear', pattern: 'lin_(?:api|oauth)_[A-Za-z0-9]{32,64}' },
  { provider: 'Mailchimp', pattern: '[a-f0-9]{32}-us\\d{1,2}' },
  { provider: 'Mailgun', pattern: '(?:key-[a-f0-9]{32}|[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8})' },
  { provider: 'Netlify', pattern: 'nf[pcob]_[A-Za-z0-9]{36,40}' },
  { provider: 'New Relic', pattern: 'NR(?:AK|JS|II|RA)-[A-Za-z0-9-]{19,40}' },
  { provider: 'Notion', pattern: '(?:ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43})' },
  { provider: 'npm', pattern: 'npm_[A-Za-z0-9]{36}' },
  { provider: 'OpenAI', pattern: 'sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,180}' },
  { provider: 'PlanetScale', pattern: 'pscale_(?:tkn|pw|oauth)_[\\w.-]{32,64}' },
  { provider: 'Postman', pattern: 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}' },
  { provider: 'PyPI', pattern: 'pypi-[\\w-]{50,400}' },
  { provider: 'Razorpay', pattern: 'rzp_(?:live|test)_[A-Za-z0-9]{14,24}' },
  { provider: 'RubyGems', pattern: 'rubygems_[a-f0-9]{48}' },
  { provider: 'SendGrid', pattern: 'SG\\.[\\w-]{22}\\.[\\w-]{43}' },
  { provider: 'Sentry', pattern: 'sntry[su]_[A-Za-z0-9+/=_.-]{40,400}' },
  { provider: 'Shopify', pattern: 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}' },
  { provider: 'Slack', pattern: '(?:xox[abeoprs]-(?:[\\d.]-)?[A-Za-z0-9-]{10,250}|xapp-\\d-[A-Za-z0-9-]{20,250})' },
  { provider: 'Square', pattern: '(?:sq0(?:atp|csp|idp)-[\\w-]{22,43}|EAAA[\\w-]{60})' },
  { provider: 'Stripe', pattern: '(?:[srp]k_(?:live|test)_[A-Za-z0-9]{16,250}|whsec_[A-Za-z0-9+/=]{24,64})' },
  { provider: 'Supabase', pattern: 'sb(?:p_[a-f0-9]{40}|_secret_[\\w-]{20,60})' },
  { provider: 'Telegram', pattern: '\\d{8,10}:AA[\\w-]{33}' },
  { provider: 'Twilio', pattern: 'SK[a-f0-9]{32}' },
];

/** Not inside a longer word. */
const FORMATS = new RegExp(
  `(?<![\\w.-])(?:${TOKEN_FORMATS.map(({ pattern }) => pattern).join('|')})(?![\\w-])`,
  'g',
);

/** Masks the tokens of known providers in a text. */
export function maskFormats(text: string, mask: (token: string) => string): string {
  return text.replace(FORMATS, mask);
}

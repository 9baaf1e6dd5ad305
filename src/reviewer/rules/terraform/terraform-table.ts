import type { RuleExamples } from '../rule-examples.ts';
import { type RuleTable, security } from '../rule-facts.ts';

/** The findings about Terraform. */
export const terraformTable = {
  'open-ingress': [
    'major',
    security,
    'A port is open to the whole internet',
    'Anybody can try to connect. Allow only the networks that need access; only ports 80 and 443 are expected to be public.',
    'CWE-284',
  ],
  'public-bucket': [
    'critical',
    security,
    'Publicly readable storage',
    'Bucket names can be guessed. Grant access only to those who need it.',
    'CWE-732',
  ],
  unencrypted: [
    'minor',
    security,
    'Storage is not encrypted',
    'Copies and discarded disks can be read. Encryption often cannot be turned on later without moving the data.',
    'CWE-311',
  ],
} as const satisfies RuleTable;

export type TerraformRule = keyof typeof terraformTable;

export interface TerraformFault {
  readonly rule: TerraformRule;
  readonly line: number;
  readonly message: string;
}

const ingress = (network: string) =>
  `resource "aws_security_group" "db" {\n  ingress {\n    from_port   = 5432\n    to_port     = 5432\n    protocol    = "tcp"\n    cidr_blocks = ["${network}"]\n  }\n}\n`;
const bucket = (acl: string) =>
  `resource "aws_s3_bucket_acl" "logs" {\n  bucket = "logs"\n  acl    = "${acl}"\n}\n`;
const database = (isEncrypted: boolean) =>
  `resource "aws_db_instance" "shop" {\n  engine            = "postgres"\n  storage_encrypted = ${isEncrypted}\n}\n`;

export const terraformExamples: RuleExamples<typeof terraformTable> = {
  'open-ingress': { path: 'network.tf', fails: ingress('0.0.0.0/0'), passes: ingress('10.0.0.0/16') },
  'public-bucket': { path: 'storage.tf', fails: bucket('public-read'), passes: bucket('private') },
  unencrypted: { path: 'database.tf', fails: database(false), passes: database(true) },
};

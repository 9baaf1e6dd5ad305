import type { RuleExamples } from '../rule-examples.ts';
import { type RuleTable, security, stability } from '../rule-facts.ts';

/** The findings about Dockerfiles and Compose files. For public sources that agree, see docs/rules/docker.md. */
export const dockerTable = {
  'latest-tag': [
    'minor',
    stability,
    'The image version is not pinned',
    'The next build may use a different image. Name a version, or a digest.',
  ],
  'add-url': [
    'minor',
    security,
    'A file is downloaded without a checksum',
    'Whoever controls the URL controls what is in the image. Add `--checksum=sha256:…`.',
    'CWE-494',
  ],
  'secret-in-env': [
    'major',
    security,
    'A secret becomes part of the image',
    'Everybody who has the image can read its environment. Use `RUN --mount=type=secret`, or pass it when the container is started.',
    'CWE-526',
  ],
  'root-user': [
    'minor',
    security,
    'The container runs as root',
    'An attacker who takes over the program is root in the container. End with a `USER` that is not root.',
    'CWE-250',
  ],
} as const satisfies RuleTable;

export type DockerRule = keyof typeof dockerTable;

export const dockerExamples: RuleExamples<typeof dockerTable> = {
  'latest-tag': {
    path: 'Dockerfile',
    fails: 'FROM node:latest\nCMD ["node", "main.js"]\n',
    passes: 'FROM node:24.1-slim\nCMD ["node", "main.js"]\n',
  },
  'add-url': {
    path: 'Dockerfile',
    fails: 'FROM debian:12\nADD https://example.com/tool.tar.gz /opt/\n',
    passes: `FROM debian:12\nADD --checksum=sha256:${'0a'.repeat(32)} https://example.com/tool.tar.gz /opt/\n`,
  },
  'secret-in-env': {
    path: 'Dockerfile',
    fails: 'FROM node:24\nARG NPM_TOKEN\nENV NPM_TOKEN=$NPM_TOKEN\nRUN npm ci\n',
    passes: 'FROM node:24\nRUN --mount=type=secret,id=npm,env=NPM_TOKEN npm ci\n',
  },
  'root-user': {
    path: 'Dockerfile',
    fails: 'FROM node:24\nUSER node\nRUN npm ci\nUSER root\nCMD ["node", "main.js"]\n',
    passes: 'FROM node:24\nUSER root\nRUN npm ci -g pm2\nUSER node\nCMD ["node", "main.js"]\n',
  },
};

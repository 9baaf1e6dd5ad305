import { isExample, isTest } from '../../change/file-kinds.ts';
import type { RuleFinding, RuleSource, SourceText } from '../../rule-source.ts';
import { findOneByOne } from '../find-one-by-one.ts';
import { describeFinding } from '../rule-facts.ts';
import { isReadableYaml } from '../yaml-nodes.ts';
import { faultsInCompose } from './compose.ts';
import { dockerTable } from './docker-table.ts';

const dockerfile = /(?:^|\/)(?:Dockerfile|Containerfile)(?:\.[\w-]+)*$|\.(?:Dockerfile|Containerfile)$/i;
const compose = /(?:^|\/)(?:docker-)?compose(?:[.-][\w-]+)*\.ya?ml$/i;
/** Templates that are no Dockerfiles until filled in, and files about Dockerfiles. */
const template = /\.(?:j2|jinja2?|tmpl|template|tpl|erb|in|mustache|hbs|md|dockerignore)$/i;
const isTemplate = (text: string) => /\{\{|\{%|<%/.test(text);
const maxLength = 50_000;

/** Rules for Dockerfiles, and for the images of Compose files. */
export const docker: RuleSource = {
  name: 'docker',
  covers: (path) => (dockerfile.test(path) && !template.test(path)) || compose.test(path),
  understands: ({ path, text }) => !isTemplate(text) && (!compose.test(path) || isReadableYaml(text)),
  async find(files, signal) {
    const { faultsInDockerfile } = await import('./dockerfile.ts');
    return findOneByOne(({ path, text }: SourceText): RuleFinding[] => {
      if (text.length > maxLength || isTest(path) || isExample(path) || isTemplate(text)) return [];
      const faults = compose.test(path) ? faultsInCompose(text) : faultsInDockerfile(text);
      return faults.map(({ rule, line, message }) => ({
        rule: `docker/${rule}`,
        startLine: line,
        endLine: line,
        ...describeFinding(dockerTable[rule], message),
      }));
    })(files, signal);
  },
};

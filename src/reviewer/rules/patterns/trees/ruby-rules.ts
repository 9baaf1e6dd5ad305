import { shared } from './shared-facts.ts';
import { harmlessParts, type TreeLanguage } from './tree-rule.ts';

const outside = '(?:params|request|cookies)\\b';

/** Agreed on by the security guide of Rails, Brakeman's warnings and RuboCop's security cops. */
export const ruby: TreeLanguage = {
  name: 'Ruby',
  files: /\.rb$/,
  path: 'app/a.rb',
  rules: [
    {
      id: 'shell-injection',
      facts: shared.shell,
      nodes: ['call', 'subshell'],
      text: /^(?:`[^`]*#\{|%x.[^\n]*#\{|(?:Kernel\.)?(?:system|exec|spawn)(?:\(\s*|\s+)"[^"]*#\{[^"]*"\s*\)?$)/,
      unless: /shellescape|Shellwords/,
      example: { fails: 'system("git log #{branch}")\n', passes: 'system("git", "log", branch)\n' },
    },
    {
      id: 'sql-injection',
      facts: shared.sql,
      nodes: ['call'],
      text: /\.(?:where|find_by_sql|execute|exec_query|select_all|having|order|joins|delete_by|count_by_sql)(?:\(\s*|\s+)"[^"]*(?:=|<|>|\blike\b|\bin\b)\s*\(?\s*['%]*#\{/i,
      unless: new RegExp(`${harmlessParts.source}|sanitize|\\.to_i\\b|table_name|arel`, 'i'),
      example: {
        fails: 'User.where("name = \'#{params[:name]}\'")\n',
        passes: 'User.where("name = ?", params[:name])\n',
      },
    },
    {
      id: 'code-from-text',
      facts: shared.code,
      nodes: ['call'],
      text: new RegExp(`^(?:eval|instance_eval|class_eval)(?:\\(\\s*|\\s+)${outside}`),
      example: { fails: 'eval(params[:formula])\n', passes: 'Formula.new(params[:formula]).result\n' },
    },
    {
      id: 'foreign-objects',
      facts: shared.objects,
      nodes: ['call'],
      text: new RegExp(`^(?:Marshal\\.load|YAML\\.(?:unsafe_load|load))(?:\\(\\s*|\\s+)[^)]*${outside}`),
      example: {
        fails: 'Marshal.load(cookies[:cart])\n',
        passes: 'JSON.parse(cookies[:cart])\n',
      },
    },
    {
      id: 'html-injection',
      facts: shared.html,
      nodes: ['call'],
      text: new RegExp(`^(?:raw(?:\\(\\s*|\\s+)${outside}|${outside}[^\\n]*\\.html_safe$)`),
      example: { fails: 'raw(params[:name])\n', passes: 'h(params[:name])\n' },
    },
    {
      id: 'certificate-not-checked',
      facts: shared.certificate,
      nodes: ['scope_resolution'],
      text: /^OpenSSL::SSL::VERIFY_NONE$/,
      example: {
        fails: 'http.verify_mode = OpenSSL::SSL::VERIFY_NONE\n',
        passes: 'http.verify_mode = OpenSSL::SSL::VERIFY_PEER\n',
      },
    },
  ],
};

/** Two published advisories, reworded, so that the demo shows what it would show with an operator's imported advisories. */
export const advisories = {
  advisories: [
    {
      id: 'GHSA-35jh-r3h4-6jhm',
      summary: 'lodash: templates can be made to run commands (CVE-2021-23337)',
      severity: 'major',
      affected: [
        {
          ecosystem: 'npm',
          name: 'lodash',
          versions: [],
          ranges: [{ events: [{ introduced: '0' }, { fixed: '4.17.21' }] }],
        },
      ],
    },
    {
      id: 'GHSA-8q59-q68h-6hv4',
      summary: 'PyYAML: loading a file can run code (CVE-2020-14343)',
      severity: 'critical',
      affected: [
        {
          ecosystem: 'PyPI',
          name: 'pyyaml',
          versions: [],
          ranges: [{ events: [{ introduced: '0' }, { fixed: '5.4' }] }],
        },
      ],
    },
  ],
  withdrawn: [],
} as const;
